"""The checker: spec.model.Spec in, checked.CheckedSpec out, every mistake reported with its place."""
