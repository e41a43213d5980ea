"""What calls of libraries give to a data set that keeps it: records, paths, arrays, frames, shared memory."""

from __future__ import annotations

from memlint.analysis.knowledge.patterns import pattern

RECORD_CALLS = pattern(
    r"^((u|or|simple|raw)?json\.loads?|orjson\.loads|jsonlines\.\w+|pickle\.loads?|cPickle\.load|dill\.load|joblib\.load|yaml\.\w*load\w*"
    r"|csv\.(reader|DictReader)|xml\.\w+(\.\w+)*|srsly\.\w+|toml\w*\.loads?)$"
)
"""Paths of functions that give Python objects: parsers, readers of rows, unpicklers."""
RECORD_METHODS = frozenset(
    "to_dict readlines splitlines itertuples iterrows to_records tolist to_list".split()
)
"""Methods that give lists of Python objects."""
PATH_CALLS = pattern(
    r"^(glob\.i?glob|os\.(listdir|walk|scandir)|os\.path\.\w+|pathlib\.\w+|natsort\.\w+|torchvision\.datasets\.folder\.\w+)$"
)
"""Paths of functions that list files or put paths together."""
PATH_METHODS = frozenset("glob rglob iterdir joinpath with_suffix".split())
"""Methods of `pathlib.Path` that do the same."""
ARRAY_CALLS = pattern(
    r"^numpy\.(?!(memmap|linspace|arange)$)(load|loadtxt|genfromtxt|array|asarray|stack|concatenate|vstack|hstack|zeros|ones|empty|full"
    r"|fromfile|random\.\w+|random|ascontiguousarray|expand_dims|transpose)$"
)
"""Paths of functions that give NumPy arrays in RAM, not memory maps."""
ARRAY_METHODS = frozenset("to_numpy numpy astype values toarray".split())
"""Methods and attributes that give arrays."""
FRAME_CALLS = pattern(r"^(pandas|pd)\.(read_\w+|DataFrame|concat)$")
"""Paths of functions that give data frames."""
SHARED_CALLS = pattern(
    r"^(torch\.(?!load|utils)\w+(\.\w+)*|numpy\.memmap|datasets\.\w+|pyarrow\.\w+(\.\w+)*|zarr\.\w+|h5py\.\w+|mmap\.\w+|multiprocessing\.\w+)$"
)
"""Paths of what processes share after a fork: tensors, memory maps, Arrow tables, open archives."""
FILE_READERS = pattern(
    r"^(builtins\.open|open|os\.path\.\w+|pathlib\.Path|io\.open|(soundfile|sf)\.\w+|librosa\.(core\.)?load|torchaudio\.(load|info)"
    r"|PIL\.Image\.open|cv2\.imread|imageio(\.v\d)?\.\w*read\w*|skimage\.io\.imread|matplotlib\.pyplot\.imread|tifffile\.imread"
    r"|torchvision\.io\.\w+|torch\.load|numpy\.(load|memmap|loadtxt|fromfile)|scipy\.io\.(wavfile\.read|loadmat)|h5py\.File"
    r"|nibabel\.load|SimpleITK\.ReadImage|rasterio\.open|pydicom\.(dcm)?read\w*)$"
)
"""Paths of functions whose first argument is the name of a file, or part of one."""
