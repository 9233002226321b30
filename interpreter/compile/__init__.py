"""The compiler: a checked spec, a number of seats and option values in, Python source out.

`layout` fixes where everything is kept, `tables` works out rows and boards, `analysis` finds what can stop and
what is read and written, `expressions`, `statements` and `frames` emit code, `phases` and `events` unfold turns
and triggers, `module` puts it together and compiles it.
"""
