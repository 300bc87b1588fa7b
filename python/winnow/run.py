"""The tables of a finished run."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import pyarrow


class Run:
    """A finished run: the output folder of `winnow run`."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        if not (self.path / "run.json").is_file():
            raise FileNotFoundError(f"{self.path} has no run.json: it is not the output folder of a run")
        if not (self.path / "_SUCCESS").exists():
            raise ValueError(f"the run in {self.path} has not ended: there is no _SUCCESS")
        self.json: dict[str, Any] = json.loads((self.path / "run.json").read_text("utf-8"))
        """What is in run.json: the recipe, the counts and the time of the run."""

    @property
    def tables(self) -> list[str]:
        """The names of the tables: those that are folders of parts, and those that are one file."""
        names = {p.parent.name for p in self.path.glob("*/*.parquet")} | {p.stem for p in self.path.glob("*.parquet")}
        return sorted(names)

    def files(self, table: str) -> list[str]:
        """Returns the Parquet files of a table, for programs that read them by themselves."""
        files = sorted(self.path.glob(f"{table}/*.parquet")) or sorted(self.path.glob(f"{table}.parquet"))
        if table not in self.tables:
            hint = "; texts in Parquet are made by winnow run --texts parquet" if table == "texts" else ""
            raise KeyError(f"no table {table!r} in {self.path}: there are {', '.join(self.tables)}{hint}")
        return [str(f) for f in files]

    def arrow(self, table: str, columns: list[str] | None = None) -> pyarrow.Table:
        """Returns a table, or some of its columns, as a table of Arrow. It needs pyarrow."""
        files = self.files(table)
        _need("pyarrow", table)
        import pyarrow
        import pyarrow.parquet

        return pyarrow.concat_tables([pyarrow.parquet.read_table(f, columns=columns) for f in files])

    def pandas(self, table: str, columns: list[str] | None = None) -> pandas.DataFrame:
        """Returns a table, or some of its columns, as a frame of pandas. It needs pandas, and
        pyarrow or fastparquet, which pandas reads Parquet with."""
        files = self.files(table)
        _need("pandas", table)
        if not importlib.util.find_spec("fastparquet"):
            _need("pyarrow", table)
        import pandas

        return pandas.concat([pandas.read_parquet(f, columns=columns) for f in files], ignore_index=True)

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r})"


def read_run(path: str | os.PathLike[str]) -> Run:
    """Opens the output folder of a finished run. Tables are read when they are asked for.

    Raises FileNotFoundError if the folder is not that of a run, and ValueError if the run has not
    ended.
    """
    return Run(path)


def _need(library: str, table: str) -> None:
    if not importlib.util.find_spec(library):
        raise ImportError(f"the table {table} is Parquet, and reading it needs {library}: pip install {library}", name=library)
