"""What things are called where no book is made: their names with blanks."""


class PlainNames:
    def of(self, kind: str, name: str) -> str:
        return name.rpartition(".")[2].replace("_", " ")

    def labelled(self, table: str, row: str, label: str) -> str:
        return label

    def text(self, key: str, default: str) -> str:
        return default

    def word(self, key: str) -> str:
        raise KeyError(key)
