"""What names suggest about data: loaders, data sets, files, tables, and what a loop goes through."""

from __future__ import annotations

import re

from memlint.analysis.knowledge.patterns import pattern

LOADER_VARIABLE = pattern(r"(^|_|data|train|val|valid|test|eval)_?loader\d*$|(^|_)dl$", re.IGNORECASE)
"""Variables that hold a data loader, for code that the run does not reach."""

GOES_THROUGH = pattern(
    r"bar\d*$|progress|tqdm|track|log_every|fetch|^(iter|enumerate|wrap|time|monitor|limit|skip)",
    re.IGNORECASE,
)
"""Functions and objects out of view that give the items of what they are given, one by one."""

SAMPLE_WORK = pattern(
    r"^(tokeni[sz]er?|transforms?|.*_transforms?|encode_plus|augment\w*|preprocess\w*|processor|loader|feature_extractor|read_image|load_image\w*|load_audio|pil_loader|read_text|read_bytes)$"
)
"""Methods and attributes with which a data set works on a sample."""

COLLATE_FUNCTION = pattern(r"(^|_)collate(_|$|fn)", re.IGNORECASE)
"""Functions that put a batch together."""

CHANGES_DATASET = pattern(r"^((set|on)_\w+|(reset|resample|shuffle|update|refresh)\w*|next_epoch)$")
"""Methods that change a data set between epochs."""

PATH_VARIABLE = pattern(r"(path|file|fname|filename|dir|root|img_?name|image_?id)s?$", re.IGNORECASE)
"""Variables that hold paths or names of files."""

SHORT_ENTRY = pattern(
    r"(^|_)(y|labels?|targets?|class(es)?|categories|ids?|idxs?|ind(ic|ex)es|index|keys?|lengths?|offsets?)$"
)
"""Members of a data set that are a number or so for each sample."""

FIELD_KEY = pattern(r"^(k|key|name|field|(\w+_)?(key|name|field))$")
"""Variables of loops that go through the fields of a record, not through its samples."""

FIELD_NAMES = pattern(
    r"(^|_)((in|out)put|tensor|field|column|feature|head|task|layer|modality)_(names|keys)$"
    r"|(^|_)(fields|columns|modalities)$"
)
"""What a loop over the fields of one batch goes through: `for name in output_names`, not `image_names`."""

FEW_ENTRIES = pattern(
    r"(^|_)(shards?|folds?|splits?|sub_?sets|data_?sets|transforms?|augment(ation)?s?)(_info)?$"
)
"""Members of a data set with an entry for each part of it, which stands for thousands of samples, or for each
way to change a sample."""

SMALL_DATA = pattern(
    r"mnist|cifar|iris|moons|circles|blobs|digits|toy|spiral|synthetic|dummy|make_(classification|regression)"
    r"|diabetes|housing|titanic|wine|sin(e|us)?_?wave",
    re.IGNORECASE,
)
"""Data sets that fit on any GPU as a whole."""

SMALL_ARRAY = pattern(
    r"label|target|class|(^|_)(y|ids?|idx|paths?|files?|filenames|names|lengths?|meta|vocab)(_|\d|$)",
    re.IGNORECASE,
)
"""Arrays with a number or so for each sample."""

SMALL_FILE = pattern(r"label|target|class|paths|names|(^|_)(y|ids|idx)(_|\d|$)", re.IGNORECASE)
"""Files with a number or so for each sample."""

MAKES_LOADER = pattern(
    r"^(get|make|build|create|prepare|init|setup|load|construct)_(\w+_)?(data_?)?loader$|(data_?)?loader_factory$",
    re.IGNORECASE,
)
"""Functions that give one loader."""

SINGLE_ITEMS = pattern(
    r"(^|_)(batch|batches|loader|dataset|ds|generator|gen|frames?|images?|imgs?|files?|filenames?|paths?"
    r"|samples?|rows?|sentences?|texts?|queries|words|states?|minibatch|stream|video|steps?|timesteps?"
    r"|tiles?|patch|patches|crops?)"
    r"(_|\d|$)|^[xX]_?\w{0,5}$",
    re.IGNORECASE,
)
"""What a loop goes through whose items are single samples."""

WHOLE_SETS = pattern(
    r"(epoch|fold|trial|split|model|seed|run|experiment|param|config|name|layer)s?\b", re.IGNORECASE
)
"""What a loop goes through whose items are runs, folds or settings."""

TF_DATASET = pattern(r"(^|_)(ds|dataset|datasets|tfds|tfdata)(_|\d|$)|[a-z](Ds|Dataset)$")
"""Variables that hold a `tf.data.Dataset`."""

HEAVY_MAP = pattern(
    r"load|parse|decode|read|augment|preprocess|process|resize|image|audio|crop|transform", re.IGNORECASE
)
"""Functions that work on each sample."""

LENGTH = pattern(
    r"length|(^|_)len(_|$)|(^|_)n(um)?_(samples|items|rows)|(data|epoch)(set)?_size$|(^|_)count$",
    re.IGNORECASE,
)
"""Arguments that say how many items a data set has."""

DATA_FRAME = pattern(r"^(df|data_?frame)(_?\w+)?$|_df$", re.IGNORECASE)
"""Variables that hold a table."""

CONTINUOUS_COLUMN = pattern(
    r"(^|_)(price|close|open|high|low|rate|ratio|temp(erature)?|amount|weight|height|lat|lon|latitude|longitude"
    r"|speed|power|demand|returns?|pressure|humidity|density|volt(age)?|current|energy|income|cost|yield|ph)(_|$)",
    re.IGNORECASE,
)
"""Columns of a table with real numbers."""

WHOLE_DATASET = pattern(
    r"(^|_)(data|dataset|trainset|train|batches|corpus|samples|images|train_?x|x_?train)\w*$", re.IGNORECASE
)
"""Variables that hold a whole data set."""

DATA_LOOP = pattern(
    r"range\(\s*0?\s*,?\s*(len|math\.ceil|int)\(|n(um)?_?(batches|samples|chunks|images)|batch|loader|dataset"
    r"|data\b|files|paths|corpus|(^|[_.])(clips|videos|images|utterances|sentences|texts|docs|documents|pages"
    r"|recordings)(\.items\(\))?$",
    re.IGNORECASE,
)
"""What a loop goes through when each turn takes a batch, a sample or a file."""

RESULTS_LOOP = pattern(
    r"(^|[_.(])((aux_|intermediate_)?outputs?|hidden_states|attentions|feature_maps|fmaps|layers|levels|stages"
    r"|scales|heads)(_list)?(\.items\(|\.values\()?\)*$",
    re.IGNORECASE,
)
"""What a loop goes through when its turns are the layers of one forward pass, of a few results each."""

REQUEST = pattern(r"(^|_)(prompts?|captions?|texts)(_\w+)?$|_(prompts|texts)$", re.IGNORECASE)
"""What a function goes through that one request to a pipeline consists of: a text or two."""
