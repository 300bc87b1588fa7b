"""Stands for libraries that cannot be installed where the tests run: as much of their interfaces
as the adapters and the guide use. A library that is installed is used itself."""

import importlib.util
import sys
import types


def install():
    """Makes the stubs of what is not installed importable."""
    for name, make in {"datatrove": datatrove, "datasets": datasets}.items():
        if name not in sys.modules and importlib.util.find_spec(name) is None:
            sys.modules.update(make())


def datatrove():
    """BaseExtractor of datatrove: run puts what extract answers in the place of a document's text,
    drops documents without, and goes on after exceptions."""

    class BaseExtractor:
        def __init__(self, timeout=1):
            self.timeout = timeout

        def extract(self, text):
            raise NotImplementedError

        def run(self, data, rank=0, world_size=1):
            for document in data:
                try:
                    document.text = self.extract(document.text)
                except Exception:
                    continue
                if document.text:
                    yield document

    modules = {}
    for name in ("datatrove", "datatrove.pipeline", "datatrove.pipeline.extractors", "datatrove.pipeline.extractors.base"):
        modules[name] = types.ModuleType(name)
    modules["datatrove.pipeline.extractors.base"].BaseExtractor = BaseExtractor
    return modules


def datasets():
    """load_dataset of Parquet files: it looks whether they are such."""

    def load_dataset(path, *, data_files, split):
        if path != "parquet" or split != "train" or not data_files:
            raise ValueError((path, split, data_files))
        for file in data_files:
            with open(file, "rb") as f:
                if f.read(4) != b"PAR1":
                    raise ValueError(file)
        return data_files

    module = types.ModuleType("datasets")
    module.load_dataset = load_dataset
    return {"datasets": module}


class SparkFrame:
    """A frame of Spark, of frames of pandas."""

    def __init__(self, frames):
        self.frames = frames

    def mapInPandas(self, function, schema):
        columns = [column.split()[0] for column in schema.split(",")]
        made = list(function(iter(self.frames)))
        for frame in made:
            if list(frame.columns) != columns:
                raise ValueError(f"columns {list(frame.columns)}, not {columns}")
        return SparkFrame(made)


class RayDataset:
    """A dataset of Ray, of frames of pandas."""

    def __init__(self, frames):
        self.frames = frames

    def map_batches(self, function, *, batch_format):
        if batch_format != "pandas":
            raise ValueError(batch_format)
        return RayDataset([function(frame) for frame in self.frames])
