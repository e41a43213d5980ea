"""What calls of libraries give to a data set that keeps it: records, paths, arrays, frames, shared memory."""

from __future__ import annotations

import re

RECORD_CALLS = re.compile(
    r"^((u|or|simple|raw)?json\.loads?|orjson\.loads|jsonlines\.\w+|pickle\.loads?|cPickle\.load|dill\.load|joblib\.load|yaml\.\w*load\w*"
    r"|csv\.(reader|DictReader)|xml\.\w+(\.\w+)*|srsly\.\w+|toml\w*\.loads?)$"
)
RECORD_METHODS = frozenset(
    "to_dict readlines splitlines itertuples iterrows to_records tolist to_list".split()
)
PATH_CALLS = re.compile(
    r"^(glob\.i?glob|os\.(listdir|walk|scandir)|os\.path\.\w+|pathlib\.\w+|natsort\.\w+|torchvision\.datasets\.folder\.\w+)$"
)
PATH_METHODS = frozenset("glob rglob iterdir joinpath with_suffix".split())
ARRAY_CALLS = re.compile(
    r"^numpy\.(?!(memmap|linspace|arange)$)(load|loadtxt|genfromtxt|array|asarray|stack|concatenate|vstack|hstack|zeros|ones|empty|full"
    r"|fromfile|random\.\w+|random|ascontiguousarray|expand_dims|transpose)$"
)
ARRAY_METHODS = frozenset("to_numpy numpy astype values toarray".split())
FRAME_CALLS = re.compile(r"^(pandas|pd)\.(read_\w+|DataFrame|concat)$")
SHARED_CALLS = re.compile(
    r"^(torch\.(?!load|utils)\w+(\.\w+)*|numpy\.memmap|datasets\.\w+|pyarrow\.\w+(\.\w+)*|zarr\.\w+|h5py\.\w+|mmap\.\w+|multiprocessing\.\w+)$"
)
