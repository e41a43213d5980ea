"""What is known of torch and the libraries around it, as data: names, and what their results carry.

Sources: torch 2.13 (public functions and their docstrings), the measured catalogue of grad-mode forms
(bare statements, decorators with and without parentheses). Paths are as resolved from the imports.
"""

from __future__ import annotations

import builtins
import re

from memlint.analysis.knowledge.patterns import pattern

# Names that mean the same, and builtins.
BUILTINS = frozenset(dir(builtins))
ALIASES = {
    "torch.autograd.no_grad": "torch.no_grad",
    "torch.autograd.grad_mode.no_grad": "torch.no_grad",
    "torch.autograd.enable_grad": "torch.enable_grad",
    "torch.autograd.set_grad_enabled": "torch.set_grad_enabled",
    "torch.autograd.inference_mode": "torch.inference_mode",
    "torch.autograd.grad_mode.inference_mode": "torch.inference_mode",
    "torch.autograd.grad_mode.set_grad_enabled": "torch.set_grad_enabled",
    "torch.autograd.grad_mode.enable_grad": "torch.enable_grad",
    "torch.utils.data.dataloader.DataLoader": "torch.utils.data.DataLoader",
}

# Grad mode: what sets it, and to what.
GRAD_CONTEXTS = {
    "torch.no_grad": "off",
    "torch.inference_mode": "off",
    "torch.enable_grad": "on",
    "keras.src.backend.torch.no_grad": "off",
}
OPERATIONS = frozenset(
    f"torch.autograd.{name}" for name in ("Function", "function.Function", "function.InplaceFunction")
)
UNRECORDED_METHODS = frozenset({"forward", "backward", "jvp"})
"""What torch runs without recording in a class of these; second derivatives alone record `backward`."""

PARTIAL = "functools.partial"

# Autocast: the dtype that it casts to unless told otherwise, "default" where the device decides.
AUTOCASTS = {
    "torch.autocast": "default",
    "torch.amp.autocast": "default",
    "torch.amp.autocast_mode.autocast": "default",
    "torch.cuda.amp.autocast": "float16",
    "torch.cuda.amp.autocast_mode.autocast": "float16",
    "torch.cpu.amp.autocast": "bfloat16",
    "torch.cpu.amp.autocast_mode.autocast": "bfloat16",
}

# Arguments of objects that read, predict and draw, and run their network under no_grad themselves:
# ultralytics (`Model.predict` is under `smart_inference_mode`), pipelines, sentence-transformers.
PREDICTION_SETTINGS = frozenset(
    "conf iou imgsz max_det bboxes save save_txt stream persist show_progress_bar convert_to_tensor"
    " convert_to_numpy eval".split()
)

# What pipelines of diffusers take beside the prompt and give: they run under no_grad.
PIPELINE_SETTINGS = frozenset("num_inference_steps guidance_scale negative_prompt output_type".split())
PIPELINE_RESULTS = frozenset("images frames audios nsfw_content_detected".split())

# Attributes and methods of tensors, by what their result carries.
SCALAR_ATTRIBUTES = frozenset(
    "shape dtype device ndim is_cuda requires_grad layout is_leaf grad_fn names itemsize nbytes".split()
)
SCALAR_METHODS = frozenset(
    "item tolist numpy size dim numel nelement stride element_size data_ptr get_device "
    "is_contiguous type_as_str storage untyped_storage is_floating_point is_complex is_sparse "
    "ndimension storage_offset".split()
)
LEARNER_METHODS = frozenset(
    "fit partial_fit fit_transform train eval parameters named_parameters state_dict load_state_dict".split()
)
"""What networks and estimators can do, and no tensor can."""

INDEX_METHODS = frozenset(
    "argmax argmin argsort eq ne gt ge lt le equal long int bool byte short char isnan isinf "
    "isfinite logical_and logical_not logical_or logical_xor nonzero multinomial bincount any "
    "all eq_ ne_ unique count_nonzero greater less greater_equal less_equal not_equal".split()
)
PAIR_METHODS = frozenset("max min median mode topk sort kthvalue cummax cummin aminmax".split())
TENSOR_METHODS = frozenset(
    "item tolist numpy detach backward cpu cuda mean sum view reshape squeeze unsqueeze float double half "
    "bfloat16 contiguous permute flatten argmax norm size dim numel requires_grad_ softmax sigmoid".split()
)
"""Methods by which a value out of view is known for a tensor, among those that could carry a graph."""

SEVERAL_RESULTS = frozenset(
    "split split_with_sizes chunk tensor_split hsplit vsplit dsplit unbind unsafe_chunk unsafe_split "
    "meshgrid broadcast_tensors align_tensors svd svd_lowrank pca_lowrank qr eig eigh lu lu_factor lstsq "
    "slogdet geqrf triangular_solve topk sort kthvalue mode aminmax cummax cummin var_mean std_mean frexp "
    "histogram".split()
)
"""Functions and methods of torch that always give a tuple."""

BOXES = frozenset("list tuple dict set frozenset zip map filter enumerate sorted reversed".split())
"""Builtins that give no tensor, whatever they are given."""

JOINING = frozenset("cat stack concat concatenate hstack vstack dstack tensor sum".split())
"""Functions that make one tensor of the members of a list."""

WRITES_TEXT = frozenset(
    "print pprint str repr write format debug info warning warn error critical exception".split()
)
"""Functions and methods that turn what they are given into text: a tensor with its `grad_fn=`."""

DETACH_METHODS = frozenset(
    "detach detach_ new_zeros new_ones new_full new_tensor new_empty zeros_like ones_like bernoulli".split()
)
LIGHT_METHODS = frozenset(
    "mean sum view reshape squeeze unsqueeze to cpu cuda float double half bfloat16 clone "
    "contiguous type type_as div mul add sub neg flatten permute transpose expand expand_as t "
    "nansum nanmean view_as div_ mul_ add_ sub_ squeeze_ unsqueeze_ narrow select chunk split "
    "unbind swapaxes movedim item requires_grad_ __getitem__ true_divide reshape_as xpu mps "
    "npu ipu refine_names rename repeat".split()
)

# On a value without a graph of its own, such as the weight of a layer, these give nothing to share.
ARITHMETIC_METHODS = frozenset("abs norm pow square sqrt exp log sum mean clamp".split())

ELEMENTWISE = frozenset(
    "abs clamp clamp_max clamp_min cos elu exp exp2 expm1 gelu log log10 log1p log2 log_softmax logsigmoid "
    "pow reciprocal relu rsqrt sigmoid silu sin softmax softplus sqrt square tanh".split()
)
"""Functions and methods that save for backward a tensor of the size of their result, often that one."""

# Methods whose arguments say how many and where, and add nothing to the result.
SHAPING_METHODS = frozenset(
    "chunk split view reshape narrow unbind expand repeat permute transpose unflatten flatten "
    "squeeze unsqueeze swapaxes movedim to type type_as expand_as view_as reshape_as".split()
)
"""Methods that read no elements of their arguments: sizes, or the shape, type and device of a tensor."""

SHARING = frozenset(
    "chunk split view reshape narrow unbind expand permute transpose unflatten flatten squeeze unsqueeze "
    "swapaxes swapdims movedim moveaxis to type type_as expand_as view_as reshape_as t adjoint detach cpu "
    "cuda xpu float double half bfloat16 int long bool contiguous diagonal select tensor_split hsplit "
    "vsplit unfold ravel real imag conj view_as_real view_as_complex as_strided numpy requires_grad_ "
    "squeeze_ unsqueeze_ transpose_ t_ detach_ share_memory_ rename values items get from_numpy as_tensor "
    "asarray atleast_1d atleast_2d atleast_3d broadcast_to broadcast_tensors resolve_conj".split()
)
"""Methods and functions of torch whose result is, or may be, the memory of the tensor that they get."""
SHARING_ATTRIBUTES = frozenset({"data", "T", "mT", "H", "mH", "real", "imag"})
"""Attributes of a tensor that are views of it."""

# Functions of the torch namespace, by what their result carries.
FACTORIES = frozenset(
    "tensor zeros ones empty full rand randn randint randperm arange linspace logspace eye "
    "as_tensor from_numpy zeros_like ones_like empty_like full_like rand_like randn_like "
    "randint_like normal bernoulli multinomial FloatTensor LongTensor IntTensor BoolTensor "
    "DoubleTensor ByteTensor HalfTensor Tensor asarray frombuffer tril_indices triu_indices "
    "hann_window hamming_window Generator".split()
)
HOST_FACTORIES = frozenset(
    f"torch.{name}"
    for name in "FloatTensor LongTensor IntTensor ShortTensor BoolTensor DoubleTensor ByteTensor HalfTensor "
    "from_numpy frombuffer".split()
)
"""What makes a tensor in host memory whatever the default device is."""

INTEGER_FACTORIES = frozenset(
    "LongTensor IntTensor ShortTensor BoolTensor ByteTensor randint randperm".split()
)
INDEX_FUNCTIONS = frozenset(
    "argmax argmin argsort eq ne gt ge lt le equal isnan isinf isfinite logical_and logical_not logical_or "
    "logical_xor nonzero bincount any all unique count_nonzero allclose isclose searchsorted bucketize "
    "is_tensor is_floating_point numel typename one_hot".split()
)
SCALAR_FUNCTIONS = frozenset(
    "is_tensor is_floating_point numel typename is_grad_enabled manual_seed seed "
    "get_num_threads set_num_threads device dtype Size Stream save set_printoptions finfo "
    "iinfo set_default_dtype set_default_tensor_type use_deterministic_algorithms "
    "get_rng_state set_rng_state Generator set_float32_matmul_precision equal allclose is_complex is_nonzero "
    "is_autocast_enabled is_autocast_cpu_enabled is_autocast_cache_enabled get_autocast_dtype "
    "get_autocast_gpu_dtype get_autocast_cpu_dtype get_default_dtype get_default_device is_inference "
    "is_inference_mode_enabled is_same_size are_deterministic_algorithms_enabled result_type promote_types "
    "can_cast".split()
)

# Modules that hold others under numbers or names; a member of one stands for all of them.
MODULE_CONTAINERS = (".ModuleDict", ".ModuleList")
ADDING_TO_MODULES = frozenset("append extend insert update add_module".split())

# Constructors, by what they make: here a new library's loader, optimizer, loss or model is taught.
LOADER_PATHS = pattern(r"^torch\w*\.(\w+\.)*\w*DataLoader$")
"""Classes of loaders: an object of one gives batches, and a loop over it goes through data."""

SCALER_PATHS = pattern(r"\.(Sharded)?GradScaler$")
"""Classes that scale a loss."""

OPTIMIZER_PATHS = pattern(
    r"^(torch\.optim\.(?!lr_scheduler|swa_utils|optimizer)(\w+\.)?[A-Z]\w*"
    r"|torch\.optim\.optimizer\.Optimizer|apex\.(contrib\.)?optimizers\.\w+|bitsandbytes\.optim\.\w+"
    r"|transformers\.(optimization\.)?(AdamW|Adafactor)|(torch_optimizer|pytorch_optimizer|lion_pytorch"
    r"|adabelief_pytorch|ranger|ranger21|madgrad|sophia|prodigyopt|dadaptation|schedulefree|heavyball"
    r"|came_pytorch)\.(\w+\.)*[A-Z]\w*|timm\.optim\.(create_optimizer\w*|\w*\.?[A-Z]\w+)"
    r"|(\w+\.)*(SGD|Adam|AdamW|RAdam|Adamax|NAdam|RMSprop|Adagrad|Adadelta|Adafactor|LAMB|Lamb|LARS|Lion"
    r"|LBFGS|AdaBelief|Ranger|SGDW|AdamP|Lookahead|SparseAdam))$"
)
"""Classes of optimizers, and functions that make one."""

_MULTI_TENSOR = pattern(
    r"^torch\.optim\.(\w+\.)?(Adam|AdamW|SGD|Adagrad|Adadelta|Adamax|ASGD|NAdam|RAdam|RMSprop|Rprop)$"
)
FUSED_OPTIMIZERS = frozenset({"Adam", "AdamW", "SGD"})
"""Those whose `fused=True` runs on CUDA devices and on the CPU from torch 2.4 on."""


def multi_tensor(path: str) -> str:
    """The class of an optimizer that handles all parameters of a GPU at once by default; "" for others."""
    found = _MULTI_TENSOR.match(path)
    return found[2] if found else ""


ADAM_LIKE = pattern(r"(Adam|RMSprop|Adafactor|LAMB|Lamb|AdaBelief|Ranger)")
"""Those of them that keep two values for each parameter, or nearly."""

LOSS_PATHS = pattern(
    r"^(torch\.nn\.|torch\.nn\.modules\.loss\.|kornia\.losses\.|monai\.losses\."
    r"|segmentation_models_pytorch\.losses\.|pytorch_metric_learning\.losses\.|timm\.loss\.).*(Loss\w*"
    r"|CrossEntropy\w*|SoftTargetCrossEntropy|L1Loss|DiceCE\w*)$"
)
"""Classes of loss functions."""

LOSS_FUNCTIONS = frozenset(
    f"torch.nn.functional.{name}"
    for name in (
        "cross_entropy", "nll_loss", "l1_loss", "mse_loss", "smooth_l1_loss", "huber_loss", "kl_div",
        "binary_cross_entropy", "binary_cross_entropy_with_logits", "multi_margin_loss",
    )
)  # fmt: skip
"""Loss functions; by default each gives one number."""

ONE_WEIGHT = pattern(r"^torch\.nn\.(modules\.\w+\.)?(Embedding(Bag)?|PReLU)$")
"""Layers whose only parameter is their weight: freezing it freezes the layer."""

MODEL_PATHS = pattern(
    r"^(?!(transformers|diffusers)\.(\w+\.)*(TF|Flax)[A-Z])(?!diffusers\.(\w+\.)*\w*Pipeline)"
    r"(torchvision\.models\.(?!.*_Weights|get_(model_)?weights?$|list_models$|get_model_builder$)(\w+\.)*\w+"
    r"|timm\.(models\.)?create_model"
    r"|torch\.hub\.load|transformers\.(\w+\.)*(AutoModel\w*|\w+(Model|For\w+|LMHeadModel|Encoder"
    r"|Decoder))(\.from_pretrained|\.from_config)?|segmentation_models_pytorch\.(?!losses|utils|metrics"
    r"|encoders)\w+|efficientnet_pytorch\.EfficientNet(\.\w+)?"
    r"|sentence_transformers\.SentenceTransformer|torchvision\.ops\.(\w+\.)*[A-Z]\w+"
    r"|torch_geometric\.nn\.(?!pool|global_)(\w+\.)*[A-Z]\w+|diffusers\.(\w+\.)*\w*(Model|UNet|VAE"
    r"|Autoencoder|Net)\w*(\.from_pretrained)?|monai\.networks\.nets\.\w+|torch\.jit\.load"
    r"|open_clip\.(\w+\.)*(create_model|load_openai_model|\w*CLIP|CoCa|(Text|Vision)Transformer)"
    r"|(open_clip|clip)\.(\w+\.)*(create_model_and_transforms|create_model_from_pretrained|load))$"
)
"""Classes and functions that give a network."""

FUNCTIONS_BESIDE = pattern(
    r"^(open_clip|clip)\.(\w+\.)*(create_model_and_transforms|create_model_from_pretrained|load)$"
)
"""Those that give functions for its input as well, behind it: one, and some two (`_and_transforms`)."""

LARGE_LANGUAGE_MODELS = pattern(
    r"^transformers\.(\w+\.)*(Llama|Mistral|Mixtral|Qwen|Gemma|Falcon|Phi|GPTNeoX|GPTJ|Bloom|Mpt|Deepseek|Olmo|Cohere"
    r"|StableLm|OPT|MT5|Mllama)\w*For\w+"
)
"""Language models whose common sizes have more than a gigabyte of weights."""
CLASSIFIERS = pattern(
    r"^(torchvision\.models\.(?!segmentation|detection)(\w+\.)*\w+|timm\.(\w+\.)*create_model"
    r"|transformers\.(\w+\.)*\w+For(\w*Classification|MultipleChoice|QuestionAnswering|NextSentencePrediction)"
    r"(\.from_pretrained|\.from_config)?|efficientnet_pytorch\.\w+(\.\w+)?)$"
)
"""Networks that give a number for each class: 1000 as they were trained, unless they are told otherwise."""

IMAGE_MODELS = pattern(
    r"^(torchvision\.models\.segmentation\.|segmentation_models_pytorch\.|diffusers\.|monai\.networks\.nets\."
    r"(\w*UNet|SegResNet|VNet|UNETR|SwinUNETR|AutoEncoder)|transformers\.(\w+\.)*\w+For\w*(Segmentation|DepthEstimation"
    r"|SuperResolution))"
)
"""Networks that give a number or more for each pixel."""

OTHER_ENGINES = pattern(
    r"^(openvino|onnxruntime|tensorrt|coremltools|tflite_runtime|mlx|jax|flax|haiku|equinox|mindspore|paddle|mxnet"
    r"|sklearn|xgboost|lightgbm|catboost|executorch\.(runtime|extension))\."
)
"""Classes whose objects are called and evaluated as networks of torch are, and build no graph."""

INFERENCE_ONLY_MODELS = pattern(r"^(onnxruntime\.|tensorrt\.)")
"""Those that give one which is not trained further."""

PREDICTORS = pattern(
    r"^(ultralytics\.(\w+\.)*[A-Z]\w*\.\w+|sentence_transformers\.(\w+\.)*[A-Z]\w*\.(encode|predict|rank)\w*)$"
)
"""Calls and methods of objects that run their network under no_grad themselves (`smart_inference_mode` of
ultralytics 8, `SentenceTransformer.encode` and `CrossEncoder.predict` of sentence-transformers)."""

OWN_TRAINING = ("pyro.infer.SVI", "pyro.infer.svi.SVI")
"""Classes whose `step` runs backward and steps the optimizer that they were given."""

MAY_BE_FROZEN = frozenset({"torch.jit.load"})
"""Those that give one which builds graphs unless `torch.jit.freeze` took its parameters away (torch 2.13)."""

RECURRENT = pattern(r"^torch\.nn\.(RNN|LSTM|GRU)(Cell)?$")
"""Layers that take up a state."""

IN_MEMORY_DATASETS = pattern(r"^(torch\.utils\.data\.(dataset\.)?TensorDataset|builtins\.(list|range))$")
"""Data sets that have all their samples in RAM."""

OWN_LOADERS = ("torch_geometric.", "torch_cluster.", "dgl.")
"""Packages with loaders of their own, whose data lie in memory as a rule: their items are cheap."""

PREPARING_METHODS = (".prepare", ".prepare_data_loader", ".setup_dataloaders")
"""Methods that take a loader over and give batches on the device."""

DATASET_WRAPPERS = pattern(
    r"^torch\.utils\.data\.(dataset\.)?(Subset|random_split|ConcatDataset|ChainDataset)$"
)
"""Data sets made of other data sets."""

CLASSIFIED_DATASETS = pattern(
    r"^torchvision\.datasets\.(\w+\.)*(\w*MNIST|CIFAR10|CIFAR100|SVHN|STL10|ImageFolder|DatasetFolder|ImageNet"
    r"|Food101|Flowers102|StanfordCars|FGVCAircraft|DTD|SUN397|EuroSAT|GTSRB|Caltech101|Caltech256|Imagenette)$"
)
"""Data sets whose samples are a picture and the number of its class."""

ENGINE_PATHS = pattern(
    r"^(accelerate\.(\w+\.)?Accelerator|lightning\.(fabric\.)?(\w+\.)?Fabric"
    r"|lightning_fabric\.(\w+\.)?Fabric|pytorch_lightning\.lite\.LightningLite)$"
)
"""Classes that run the backward and the step for the script."""

# Calls that give back what they are given, and packages whose results carry no graph.
TRANSPARENT_WRAPPERS = pattern(
    r"^(torch\.nn\.(parallel\.)?(DataParallel|DistributedDataParallel|data_parallel\.DataParallel"
    r"|distributed\.DistributedDataParallel)|torch\.nn\.parallel\.distributed\.DistributedDataParallel"
    r"|torch\.compile|torch\.jit\.script|torch\.distributed\.fsdp\.\w*(FullyShardedDataParallel|FSDP)"
    r"|apex\.parallel\.(DistributedDataParallel|convert_syncbn_model)"
    r"|torch\.nn\.SyncBatchNorm\.convert_sync_batchnorm|torch\.optim\.swa_utils\.AveragedModel"
    r"|peft\.get_peft_model|torch\.nn\.utils\.(parametrizations\.)?(weight_norm|spectral_norm)"
    r"|torch\.nn\.DataParallel)$"
)
"""Calls that give the network which they are given."""

PASS_THROUGH = pattern(
    r"^(tqdm\.(\w+\.)*(tqdm|trange|tqdm_notebook)|tqdm\.tqdm_notebook"
    r"|builtins\.(iter|reversed|sorted|list|tuple|set|frozenset|filter)|rich\.progress\.track"
    r"|fastprogress\.(\w+\.)?(progress_bar|master_bar)|itertools\.(cycle|islice|takewhile|dropwhile)"
    r"|more_itertools\.\w+|alive_progress\.alive_it|progressbar\.progressbar"
    r"|torch\.distributed\.fsdp\.wrap\.wrap|copy\.copy|horovod\.torch\.(allreduce|allgather|broadcast))$"
)
"""Calls that give the elements of what they are given, or a tensor that is differentiable in it."""

SEARCHES = pattern(
    r"^(hyperopt\.(fmin\.)?fmin|wandb\.agent|skopt\.(\w+\.)*(gp|forest|gbrt|dummy)_minimize"
    r"|optuna\.(\w+\.)*Study\.optimize)$"
)
"""Functions that run another one for each trial of a search, in this process."""

PLAIN_PACKAGES = pattern(
    r"^(numpy|math|random|os|sys|time|json|pickle|re|logging|datetime|shutil|glob|pathlib|csv|yaml|cv2"
    r"|PIL|pandas|sklearn|scipy|matplotlib|seaborn|wandb|tensorboardX|tensorboard|mlflow|nltk|sacrebleu"
    r"|rouge|tabulate|gc|string|copyreg|subprocess|socket|uuid|hashlib|warnings|psutil|threading|skimage"
    r"|torchvision\.(utils|transforms|io)|torch\.utils\.tensorboard|torch\.cuda|torch\.distributed"
    r"|torch\.backends|torch\.profiler|argparse|imageio|gym|gymnasium|h5py|pywt|tqdm\.write|xarray|polars|dask"
    r"|zarr|netCDF4|anndata|geopandas|statsmodels|networkx"
    r"|torch\.utils\.(bottleneck|benchmark|cpp_extension|collect_env|flop_counter)|timeit|warp)\b"
)
"""Packages whose results carry no graph."""

MAKES_ARRAYS = frozenset(
    f"numpy.{name}" for name in ("array", "asarray", "asanyarray", "ascontiguousarray", "expand_dims")
)
"""Functions that make an array of a tensor, as `.numpy()` does."""

NO_NETWORK_BASES = pattern(
    r"^(builtins|abc|typing|typing_extensions|enum|dataclasses|collections|torch|tensorflow|tf_keras|keras|jax|flax"
    r"|mxnet|chainer|paddle|torchmetrics|ignite)\b"
)
"""Packages whose classes, apart from those of `torch.nn`, make no network out of a class with `forward`."""

# Readers whose result is a tensor in host RAM: of pixels, or a waveform and its rate.
IMAGE_READERS = pattern(r"^torchvision\.io\.(image\.)?(read_image|decode_(image|jpeg|png|webp|gif))$")
SOUND_READERS = pattern(r"^torchaudio\.load$")

# Frameworks that run the training loop themselves.
MANAGED_BASES = pattern(
    r"(LightningModule|LightningLite|pl\.Trainer|transformers\.(\w+\.)*(Seq2Seq)?Trainer|keras"
    r"|tensorflow|fastai|ignite|skorch|catalyst|mmcv|mmengine|detectron2|TrainerCallback|Callback"
    r"|composer\.|speechbrain\.\w*|allennlp|espnet)"
)

# What their trainers call for every batch.
BATCH_HOOK = pattern(
    r"^((training|validation|test|predict)_step(_end)?|on_(train|validation|test|predict)_batch_end)$"
)

# What they call beside training, with gradients on: hooks of Lightning, and of callbacks of transformers.
TRAINING_HOOK = pattern(
    r"^(training_step(_end)?|training_epoch_end|on_train_(batch|epoch)_(start|end)|on_train_(start|end|begin)"
    r"|on_before_zero_grad|on_(epoch|step)_(begin|end))$"
)

# Methods that trainers call at every step: Lightning, transformers, fastai.
STEP_HOOK = pattern(
    r"^((training|validation|test|predict|prediction)_step|compute_loss"
    r"|on_(train|validation|test|predict)?_?batch_(start|end)|on_(sub)?step_(begin|end)"
    r"|(before|after)_(batch|step|pred|loss|backward)|optimizer_step)$"
)
# Events of ignite that come with every step.
STEP_EVENT = pattern(r"\bEvents\.(ITERATION|GET_BATCH|FORWARD|BACKWARD|OPTIM_STEP)_\w+$")
# Hooks of Lightning at the end of an epoch.
EPOCH_END_HOOK = pattern(r"^on_(train|validation)_epoch_end$")
# Hooks of Lightning where an epoch starts or ends.
EPOCH_HOOK = pattern(
    r"^(on_(train|validation|test|predict)_epoch_(start|end)|(training|validation|test)_epoch_end)$"
)
# Hooks that Lightning runs under no_grad, those of callbacks included.
EVALUATION_HOOK = pattern(
    r"^((validation|val|valid|test|predict)_(step|step_end|epoch_end)|on_(validation|test|predict)_\w+)$"
)
# Hooks of Lightning for loops that run once: test and predict.
ONE_PASS_HOOK = pattern(r"^(on_)?(test|predict)_")
# Methods of Keras callbacks that are called while the model trains.
KERAS_TRAINING_HOOK = pattern(r"on_epoch_|on_(train_|test_|predict_)?batch_")
# Calls that go through stored tensors one by one.
WALKS_STORED = pattern(r"^(zip|items|values)$|(parameters|state_dict)$")
# Functions and methods that give plain numbers, strings or containers.
GIVES_NUMBERS = pattern(
    r"^(float|int|len|str|bool|list|dict|repr)$|\.(item|tolist|numpy|batch_decode)$|tokenizer\.decode$"
)

# Half precision.
FLOAT16 = frozenset({"torch.float16", "torch.half", "torch.HalfTensor", "torch.cuda.HalfTensor"})
BFLOAT16 = frozenset({"torch.bfloat16"})

# Methods of strings, modules, optimizers and containers.
STRING_METHODS = frozenset("format join split strip append update lower upper startswith endswith".split())
DEVICE_MOVES = frozenset(
    "to cuda cpu float double half bfloat16 train eval requires_grad_ share_memory type xpu "
    "npu mps ipu to_empty apply compile".split()
)
METHODS = frozenset(
    "append extend insert add clear pop update appendleft setdefault keys values items get "
    "parameters named_parameters modules named_modules children named_children state_dict "
    "load_state_dict train eval to cuda cpu half float double bfloat16 requires_grad_ "
    "zero_grad step backward scale unscale_ forward register_buffer register_parameter "
    "add_module apply share_memory prepare buffers named_buffers".split()
)
PART_LISTS = frozenset(
    "parameters named_parameters modules named_modules children named_children buffers named_buffers".split()
)
"""Methods of a module that give its parts, one after the other."""

GRAPH_METHODS = pattern(
    r"(loss|forward|encode|decode|features|log_prob|logits|embed|nll|energy|criterion|elbo|entropy"
    r"|compute_objective)",
    re.IGNORECASE,
)
# What sentence encoders, which build no graph, are asked with.
ENCODING_OPTIONS = frozenset(
    "convert_to_numpy convert_to_tensor show_progress_bar normalize_embeddings output_value "
    "truncate_dim prompt_name allowed_special disallowed_special add_special_tokens".split()
)
# Methods that hand out, replace or prepare parts of a model, and compute nothing.
PART_METHODS = pattern(
    r"^_?(set|resize|init|load|save|tie|add|build|make|create|freeze|unfreeze|has|is|register|reset|extend|expand"
    r"|grow|prune|attach|enable|disable|print|show|write|count|check|move|share|replace|remove|copy)_|^_?prepare_\w*masks?$"
    r"|^get_(encoder|decoder|(input|output|position|token)_embeddings?)$"
)
LEARNS = pattern(
    r"^((Lazy|Quant)?(Linear|Bilinear|Conv\w*)|Parameter(List|Dict)?|register_parameter|Module(List|Dict)|Sequential"
    r"|Embedding(Bag)?|(Batch|Layer|Group|Instance|RMS|SyncBatch)Norm\w*|LSTM|GRU|RNN|\w+Cell|Transformer\w*"
    r"|MultiheadAttention|PReLU|from_pretrained|hub|timm|transformers|models|optim|backward)$"
)
"""Words by which a class makes or takes what learns, or trains; without them only what it is given does."""

BATCH_NORMS = pattern(r"^torch\.nn\.(modules\.)?(\w+\.)?_?(Lazy|Sync)?(Batch|Instance)Norm\w*$")
"""Classes of torch's layers that keep running statistics of their input."""

BARE_BASES = frozenset("object ABC Protocol Generic NamedTuple".split())
"""Base classes that say nothing of what an object is for."""

AUDIO_TRANSFORMS = pattern(r"^torchaudio\.transforms\.[A-Z]\w+$")
"""Modules without weights: what they give has a graph only where the waveform has one."""

OWN_GRAD_METHODS = pattern(r"^_|^decode$|(^|_)(gradients?|grads?|jacobians?|hessians?)(_|$)", re.IGNORECASE)
"""Methods that may see to the grad mode themselves: private ones, searches, and those that differentiate."""

UNSEEN_DECODING = pattern(r"^(generate|predict|inference|translate|transcribe|infer)($|_)", re.IGNORECASE)
"""Methods of what is out of view that use a trained network, and by custom build no graph."""

UNSEEN_INFERENCE = pattern(
    r"^(generate|sample|predict|act|get_action|select_action|inference|translate|infer|choose_action"
    r"|step|transcribe|detect|evaluat|test)",
    re.IGNORECASE,
)

REFUSED_BY_AUTOCAST = frozenset({"torch.nn.BCELoss", "torch.nn.functional.binary_cross_entropy"})
"""What raises an error under autocast on CUDA (torch's notes on autocast); the forms with logits do not."""

GRAPH_OPERATIONS = frozenset(
    "add add_n argmax argmin assign assign_add assign_sub cast clip_by_value concat constant "
    "convert_to_tensor div divide equal exp expand_dims gather greater less log logical_and logical_not "
    "logical_or matmul maximum minimum multiply norm not_equal one_hot ones ones_like pow random_normal "
    "random_uniform reduce_all reduce_any reduce_max reduce_mean reduce_min reduce_sum reshape round "
    "scalar_mul sigmoid slice split sqrt square squeeze stack stop_gradient subtract tanh tile transpose "
    "truncated_normal zeros zeros_like global_variables_initializer local_variables_initializer "
    "initialize_all_variables variables_initializer gradients image.resize image.resize_images "
    "image.decode_image image.decode_jpeg image.decode_png identity placeholder train.cosine_decay "
    "train.cosine_decay_restarts train.exponential_decay train.inverse_time_decay train.natural_exp_decay "
    "train.piecewise_constant train.polynomial_decay math.add math.argmax math.equal math.reduce_mean "
    "math.reduce_sum "
    "nn.relu nn.sigmoid nn.softmax nn.top_k nn.in_top_k nn.sigmoid_cross_entropy_with_logits "
    "nn.softmax_cross_entropy_with_logits nn.sparse_softmax_cross_entropy_with_logits random.normal "
    "random.uniform read_file io.read_file".split()
)
"""Functions of TensorFlow 1 that add an operation to the graph, which nothing takes out of it again."""
