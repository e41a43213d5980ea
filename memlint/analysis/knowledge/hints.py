"""What names of users' variables, functions and options suggest, as data.

A pattern alone never makes a finding: it settles a doubt that the values leave open. `naming` has those for
the roles of objects (model, loader, optimizer, loss) with the functions that ask them, `data_hints` those for
data, `device_hints` those for devices and memory. A new spelling of
something goes into its pattern here, for all rules at once.
"""

from __future__ import annotations

import re

from memlint.analysis.knowledge.patterns import pattern

# --- Parts of a training script ---------------------------------------------------------------------

MODEL_INPUT = pattern(
    r"(image|img|input|^x\d*$|frame|video|audio|wav|feat|emb|^data$|sample|pixel|volume|signal|spec)",
    re.IGNORECASE,
)
"""Members of a batch that are inputs, not labels."""

COUNT = pattern(
    r"^_?(n|num|max|min)_[a-z_]+$|(^|_)(steps|epochs?|iters|iterations|interval|frequency|freq|every|size|count|dims?|depth)$"
)
"""Attributes that count something: `self.grad_accumulation_steps`, `cfg.num_layers`."""

NUMBER_OF = pattern(r"^_?(n|num)_[a-z_]+$")
"""Entries of what a network gives that count something, which has no derivative: `out["n_items"]`."""

COUNT_PREFIX = pattern(r"(n|num|max|total|min)_")
"""Variables that count something: `num_steps`, `max_len`."""

SHOWS = pattern(
    r"^_?(print|show|display|draw|plot|imshow|imsave|imwrite|savefig|visuali[sz]e|render|report|dump|summary)(_|s?$)"
    r"|^_?(vis|viz|plot|show|draw|write|export|report)(_\w+|[A-Z]\w*)$"
    r"|^_?save_?\w*(image|img|sample|grid|fig|plot|pic|result|output|prediction|video|audio|wav|visual|tensor)"
    r"|^_?log(_(image|img|figure|video|audio|sample|scalar|metric|value|text|histogram|table|dict)\w*)?$"
    r"|^add_(image|images|image_with_boxes|scalar|scalars|histogram|figure|video|audio|text|embedding|mesh)$"
    r"|^(info|debug|warning|write|writelines|writerow|ToPILImage|to_pil_image|tensor2im|Image)$",
)
"""Functions that print, plot, log or write to a file what they are given, and keep nothing of it."""

NUMERICS = pattern(
    r"GP(?=[A-Z][a-z]|$)|GaussianProcess|RBF|DFT|PINN|(ODE|PDE)(?![a-z])|Hamiltonian|Schr[oö]dinger|Cholesky"
)
"""Classes whose numerics need float64: Gaussian processes, quantum chemistry, differential equations."""

CACHE = pattern(r"(^|_|\.)(cache|cached|memo)(_|$|\w*es$)", re.IGNORECASE)
"""Containers that are meant to keep what was read once."""

LOADS_AHEAD = pattern(
    r"(^|_)(prefetch|preload|cache)_\w*(data|set|loader)|(in|into|to)_(memory|ram)$", re.IGNORECASE
)
"""Functions that are there to hold a data set in memory."""

KEPT_IN_MEMORY = pattern(
    r"(^|_)(cache|preload)(d|ed)?(_(data|dataset|batches|loader|all))?$|(^|_)in_(memory|ram)(_|$)"
)
"""Options that ask for a data set, or for its batches, to be held in memory."""

ASKS_FOR_RESULTS = pattern(r"(save|return|keep|store|collect|dump|export|write)s?_")
"""Options that ask for what a run made, beside its figures."""

INDICES = pattern(r"(^|_)(idxs?|inds?|index|indices|counts?|lengths?|splits?)$", re.IGNORECASE)
"""Tensors of whole numbers that choose from, or measure, others of many more elements."""

A_NUMBER = pattern(r"([A-Za-z]|n_?\w+|num_\w+|\w*(size|dim|shape|channels|mode))$")
"""Variables that hold a size, or how something is done."""

KEPT_STATE = pattern(
    r"state|weights?|param|ckpt|checkpoint|grad|buffer|optim|tensor|embed|feature", re.IGNORECASE
)
"""Variables that may hold the state of a network, or tensors."""

LAYER_WEIGHTS = pattern(r"^state_?dict$|\.weight$|^weight_?\dd$", re.IGNORECASE)
"""Weights of a layer, by the name they have in a state dict or where they are inflated for another one."""

TEXT_CODER = pattern(
    r"token|processor|vocab|dictionary|^(text|label|ctc)_?\w*$|^sp(m|_model)?$|converter", re.IGNORECASE
)
"""Objects whose `decode` makes text: tokenizers, processors, vocabularies."""

WIDE_TENSOR = pattern(
    r"(hidden|feat|emb|token|state|seq|enc|memory|context|represent|attn|attention|activation|volume|video"
    r"|frames|spec|layers?_out|stack)|^(h|hs|z|x|f|fmap|tokens)\d*$",
    re.IGNORECASE,
)
"""Tensors with many numbers for each sample: hidden states, features, token embeddings."""

UNTRAINED_NETWORK = pattern(
    r"teacher|(^|_|\.)ema|momentum_?(net|enc|model)|target_?(net|model|critic|actor|q|policy)|oracle|frozen"
    r"|(^|_|\.)tgt_?(net|q|critic|actor)"
    r"|ref(erence)?_?(model|policy|net)|old_?(policy|actor|model)|vgg|lpips|perceptual|pretrained|clip_model"
    r"|(net(work)?|model|critic|actor|policy|q)_?(target|ema|old|ref|t)$"
    r"|(net(work)?|model|critic|actor|qf?)\d?_?target_?\d?$"
    r"|(net(work)?|model|critic|actor)s?_(target|ema|old)s?\[[^\[\]]*\]$",
    re.IGNORECASE,
)
"""Networks that are run for what they know, not to learn: teachers, moving averages, targets."""

FREEZING_CALL = pattern(
    r"freez|requires_?grad|toggle_?grad|set_?grad|disable_?grad|eval_?mode", re.IGNORECASE
)
"""Functions out of view that take the gradients from what they are given."""

SHARDS = pattern(r"shard|fsdp|paralleli[sz]e", re.IGNORECASE)
"""Methods and functions that divide the parameters of a model among ranks."""

NO_GRAD_OPTIONS = frozenset({"no_grad", "use_no_grad", "with_no_grad"})
"""Options by which a network that is made is told to run without autograd."""

FREEZES_WITHIN = pattern(r"(^|_)(freez(e|es|ing)|frozen)(_|$)", re.IGNORECASE)
"""Context managers that take the gradients from weights as long as their block runs."""

FREEZES_ALL = pattern(r"^freeze(_?(all|params|parameters|weights|model|network|self))?$", re.IGNORECASE)
"""Methods out of view by which a network takes the gradients from all of its weights."""

TEST_CLASS = pattern(r"^Test(?!er)|(Test|Tests|TestCase)$")
"""Classes of unit tests."""

STEP_FUNCTION = pattern(r"^(train(ing)?_?(step|batch|iter(ation)?)|step_fn|one_step)$", re.IGNORECASE)
"""Functions that make one training step."""

ADAPTS_BATCH_SIZE = pattern(
    r"accum|OutOfMemoryError|find_executable_batch_size|auto_find_batch_size|scale_batch_size|BatchSizeFinder",
    re.IGNORECASE,
)
"""Names in a script that fits its batch size to the memory, or accumulates."""

LOSS_WORD = pattern(r"loss|cost|error|nll|elbo|objective", re.IGNORECASE)
"""Variables that hold a loss."""

OF_ONE_PASS = pattern(r"_(outputs|outs|logits|levels|preds|scales|strides)$", re.IGNORECASE)
"""Lists with an entry for each level or head of one forward pass."""

LOSS_TERM = pattern(
    r"loss|cost|err(or)?(_|$)|nll|elbo|objective|criteri|entrop|penalt|residual|regulari[sz]|diverg|(^|_)(kl|mse|mae|bce|ce|reg|rec|recon|adv)(_|$|\d)"
    r"|log_?p(rob)?|likelihood",
    re.IGNORECASE,
)
"""Variables that hold a loss or a term of one."""

LOSS_VARIABLE = pattern(
    r"^(.*_)?(loss|error|err|cost|nll|elbo)"
    r"(_?\d+|_[A-Za-z]{1,2}|[A-Z]\w*|_(gen|dis|disc|fake|real|mean|total|val|train|cls|reg|box|batch|step|sum|value))?$"
    r"|[a-z]Loss$"
)
"""Variables that hold a loss, without what only sounds like one."""

ONE_EACH = pattern(
    r"(^|_)(pitch(es)?|f0s?|periodicit(y|ies)|voicing|alphas?|entrop(y|ies)|temperatures?|durations?"
    r"|timestamps?)$",
    re.IGNORECASE,
)
"""Variables that hold a number for each sample or frame, or one for all."""

VERDICT = pattern(r"(^|_)(score|reward|confidence)s?$", re.IGNORECASE)
"""Variables that hold a verdict for each sample. A list of this name may gather one for each pixel."""

REWARDS = pattern(r"(^|_)(r|rs|rew|rews|rewards?)(_?(b|batch|tensor|t|v))?$", re.IGNORECASE)
"""Variables that hold what an environment gave for actions."""

PROBABILITIES = pattern(r"(^|_)(probs?|probabilit(y|ies)|softmax)(_\w{1,5})?$", re.IGNORECASE)
"""Variables that hold the probabilities of classes."""

LOGITS = pattern(r"(^|_)(probs?|probabilit(y|ies)|softmax|logits|scores)(_\w{1,5})?$", re.IGNORECASE)
"""Variables that hold a number for each class."""

ONE_CLASS = pattern(
    r"(^|_)(class|label|cls|cat|category|ent\w*|contra\w*|neutral|pos\w*|neg\w*|token)_?(id|idx|index)$"
)
"""Variables that hold the number of one class."""

PUBLISHED_WEIGHTS = pattern(r"[-_](?=\d*[a-f])[0-9a-f]{8}\.pth?(\.tar)?$")
"""Names of files of weights that were published with a part of their hash, as torch.hub checks it."""

HEAD_MODULE = pattern(
    r"^(fc|classifier|heads?|head_drop|last_linear|lm_head|score|output_layer|qa_outputs|classif|linear"
    r"|roi_heads|segmentation_head|pooler|mlp_head)\d*$"
)
"""The layer of a network that fine-tuning replaces."""

TRAINED_LATER = pattern(r"[Ff]ine_?[Tt]uning$|^unfreez")
"""Names of what joins parts of a network to an optimizer while the training goes on."""

PARTLY_TRAINED = pattern(r"freez|frozen|lora|adapter|peft", re.IGNORECASE)
"""Names in a script that trains a part of a network on purpose."""

GIVEN_FUNCTION = pattern(
    r"^(?!\w*(loss|crit|metric|score|acc|eval|collate|transform))\w+_(fun|func|function)$"
)
"""A function that callers give, by its name: it may differentiate what it gets."""

ATTACK = pattern(r"(^|_)(adv|attack\w*|adversar\w*|perturb\w*|pgd|fgsm|saliency|gradcam)(_|$)", re.IGNORECASE)
"""Functions that need gradients of inputs: attacks, saliency."""

WEIGHT = pattern(r"^([Ww]|bias|[Ww]_\w+)$|(^|_)weights?(_|$)")
"""Weights that a function gets, which are there all the time whatever refers to them."""

ATTRIBUTION = pattern(
    r"^((Layer|Neuron)?(IntegratedGradients|GradientShap|DeepLift\w*|GradCam|GuidedBackprop|GuidedGradCam|Deconvolution"
    r"|InputXGradient|Saliency|LRP)|\w*GradCAM\w*|\w+CAM|GradientExplainer|DeepExplainer)$"
)
"""Classes of captum, grad-cam and shap that explain a network by gradients of its inputs or layers."""

DERIVATIVE = pattern(r"^(pred(icted)?_)?(grads?|gradients?|forces?|stress(es)?|virials?|hessians?)$")
"""Members of what a network gives that it finds by differentiating its own output."""

ASKS_FOR_DERIVATIVE = pattern(
    r"^(compute|calc|calculate|return)_(grads?|gradients?|forces?|stress(es)?|virials?|hessians?)$"
)
"""Arguments that ask a network for them."""

ATOMS = pattern(
    r"^(n_?atoms|atoms(_\w+)?|energ(y|ies)|atype|atom_?types?|atomic_numbers|element_?types?"
    r"|lattices?|stress(es)?)$"
)
FORCES = pattern(r"^(\w+_)?(forces|virials?)$")
"""Names and keys. Both together: networks that give the energy of atoms, and forces as its derivatives, in
evaluation too."""

METRIC = pattern(r"(^|_)metrics?$", re.IGNORECASE)
"""Variables that hold what measures predictions."""

ENCODES_DATA = pattern(r"(^|_)(encoder|embedder|extractor)$", re.IGNORECASE)
"""Names of networks that those have as well that make numbers of texts, labels or waves without one."""

CODES_DATA = pattern(r"(^|_)(encoder|decoder|embedder|extractor|detector)s?$", re.IGNORECASE)
"""Names of networks that functions of one field of the data have as well."""

MEASURE_CLASS = pattern(
    r"^(?!\w*(VGG|Vgg|Percept|LPIPS|Lpips|Style|Content|Feature|GAN|Adversar|CLIP|Clip|Net|Arc|Center|Proxy|Ident"
    r"|Cos|Contextual))\w*(Loss|Regulari[sz](ation|er)|Penalty|Divergence)$"
)
"""Classes of losses, and of terms of them, without weights: their names speak of no network or table."""

METRIC_CLASS = pattern(r"(^|\.)(torch)?metrics?\.|Metric$")
"""Import paths and names of classes whose objects measure predictions."""

HUB_TOOL = pattern(r"^tokeni[sz]er$|^config$|transforms$|_utils$")
"""Entries of repositories on torch.hub that are no networks."""

CLASSES = pattern(r"(^|[\W_])(class_?(names?|es|labels?)|categor(y_names|ies)|templates)\b", re.IGNORECASE)
"""What a loop goes through once for each class of a data set: a few texts."""

NOT_A_MODULE = pattern(
    r"opt|sched|scaler|loss|crit|meter|metric|sampler|(^|_)(env(ironment)?|range)s?$|(^|_)pipe(line)?s?(_|$)",
    re.IGNORECASE,
)
"""Variables with a state_dict, or that move to a device and can be called, that are no module."""

TEXT_ENTRY = pattern(
    r"(^|_)(symbols?|names?|texts?|titles?|captions?|(file)?paths?|files?|filenames?|smiles|urls?)$"
)
"""Keys of texts in what a batch or a network gives."""

TEXT_TOOL = pattern(r"tokeni[sz]er|vocab(ulary)?$|preprocessor$", re.IGNORECASE)
"""Modules and parts of modules that turn text into numbers, without weights."""

PREPARES_INPUT = pattern(
    r"^_?(organi[sz]e|prepare|split|collate|move|format|unpack|parse|pad|tokeni[sz]e|pre_?process|convert)"
    r"_(\w+_)?(inputs?|batch|data|samples?|tokens|prompts?)(_|$)"
)
"""Methods of a network that make what it is then run on."""

OVER_NETWORKS = pattern(r"(^|[\W_])(models|model_list|networks|nets|experts|heads|branches)\b")
"""What a loop goes through once for each network of an ensemble, or for each part of one: there are few."""

LOOP_OVER_MODULES = pattern(
    r"modules|children|layers?\b|blocks?\b|parameters|convs?\b|names?\b|targets?\b|hooks?\b", re.IGNORECASE
)
"""What a loop goes through that visits the modules of a network."""

# --- Losses, gradients, precision -------------------------------------------------------------------

NO_GRAD_WRAPPER = pattern(r"no_?grad|inference_?mode", re.IGNORECASE)
"""Decorators and context managers out of view that switch gradients off."""

CLIPS_GRADIENTS = pattern(r"clip_?grad", re.IGNORECASE)
"""Functions out of view that clip gradients."""

DIFFERENTIATES = pattern(
    r"grad(ient)?_?penalty|(^|_)(compute|calc|calculate)_(input_)?(grads?|gradients?|jacobians?|hessians?)$"
)
"""Functions that differentiate by what they are given, in evaluation too."""

CLEARS_GRADIENTS = pattern(
    r"(zero|clear|reset|clean|empty|erase)\w*grad|grad\w*(zero|clear|reset|none)", re.IGNORECASE
)
"""Functions and methods that set gradients back."""

READS_GRADIENTS = pattern(
    r"grad(ient)?s?_?(norm|flow|stat|hist)|(clip|log|plot|print|check|get|total)_?grad|get_total_norm",
    re.IGNORECASE,
)
"""Functions that measure, limit or show the gradients of parameters."""

LOSS_FUNCTION = pattern(r"(loss|cross_entropy|kl_div|nll|bce)", re.IGNORECASE)
"""Functions whose result is one number for a batch."""

GATHERS = pattern(r"^(all_?gather(_into_tensor|_base)?|gather(_for_metrics)?|_?all_gather_base)$")
"""Functions that bring the tensors of all processes together."""

WINDOW_CONDITION = pattern(
    r"%|accum|sync_grad|is_last|last_(micro|step|batch)|should_(step|update)|do_(step|update)"
    r"|(need|update)_(grad|update)|boundary|opt(im|imizer)?_step",
    re.IGNORECASE,
)
"""Conditions that hold at the last micro-batch of a window."""

OTHER_LOSS_SCALING = pattern(
    r"(?<!Standard)(?<!MinMax)(?<!Robust)scaler|loss_?scal|scale_?loss|static_scale", re.I
)
"""Names in a script that scales its loss by other means than a GradScaler."""

ASKS_FOR_PRECISION = pattern(r"double|float64|fp64|precision|dtype", re.IGNORECASE)
"""Names in a script that chooses its precision."""

EXPLAINS_GRAPH = pattern(
    r"\b(no|not|never|without|cannot|can't|don't)\b[^.]{0,40}\bno_grad|\bneeds?\b[^.]{0,20}\bgrad(s|ients?)?\b"
    r"|\bgrad(s|ients?)? (is|are) (needed|required|wanted)"
    r"|(no_grad|inference_mode)\b[^.]{0,40}\bcallers?\b|\bcallers?\b[^.]{0,40}\b(no_grad|inference_mode)\b",
    re.IGNORECASE,
)
"""Comments that say why a network is not run under no_grad here, or that its callers see to that."""

EXPLAINS_PRECISION = pattern(
    r"float64|fp64|double precision|precision|numeric|round(ing|-off)|overflow", re.IGNORECASE
)
"""Comments that say why something is computed in float64."""

HOLDS_THROUGHOUT = pattern(
    r"cuda|is_(\w+_)?available|[gxn]pu|\bmps\b|device|\b(phase|mode|split|stage|train|training|is_train|do_train)\b",
    re.IGNORECASE,
)
"""Conditions with the same answer in every step: devices, modes, phases."""

ASKS_FOR_CLEANUP = pattern(
    r"(empty|clear|flush|clean|free|release)\w*(cache|mem|gpu|vram|up)$|(cache|gc)_?(clear|empty|collect)\w*$",
    re.IGNORECASE,
)
"""Options that ask for the allocator's cache to be emptied: `args.empty_cache`, `self.free_gpu`."""

MEASURES_MEMORY = pattern(
    r"(mem_|memory|reserved|alloc|percent|usage|utili[sz]ation|\boom\b|free|threshold|total)", re.IGNORECASE
)
"""Conditions on how much memory is in use."""

LAST_PASS = pattern(r"\blast|_end\b|end_of", re.IGNORECASE)
"""Conditions that hold in the last pass of a loop."""

ACCUMULATION_WINDOW = pattern(
    r"(?<!eval_)accum|acc_step|micro|window|update_(freq|every|interval)", re.IGNORECASE
)
"""The number of micro-batches of a step."""

MICRO_BATCH = pattern(r"micro|chunk|split|accum|sub_?batch|mini", re.IGNORECASE)
"""Loops over parts of a batch."""

SAVES_OUTPUT = pattern(
    r"(^|_|\.)(log_?)?(softmax|softmin|sigmoid|tanh|relu|relu6|elu|selu|celu|exp|sqrt|rsqrt|hardtanh|normalize|act"
    r"|activation|nonlin\w*|dropout\w*)(_?\d*|_fn|_layer)_?$",
    re.IGNORECASE,
)
"""Functions and layers whose backward reads their output."""

# --- What is kept, and where ------------------------------------------------------------------------

MANAGED_MEMORY = pattern(r"(^|_)(mems?|memory|memories|past\w*|cache\w*|kv)(_|$)", re.IGNORECASE)
"""State that its owner bounds itself: key-value caches, memories."""

RECURRENT_STATE = pattern(
    r"(^|_)(h|c|hx|cx|hc|hn|cn|h_?n|c_?n|h_?t|c_?t|hidden\w*|states?|rnn\w*|lstm\w*|recurrent\w*)(_|\d|$)",
    re.IGNORECASE,
)
"""The hidden state of a recurrent network."""

BEGINS_STATE = pattern(
    r"(^|[._])(init|initial|initiali[sz]e|zero|begin|start|new|empty|reset)_?(the_)?(hidden|state|carry|h0|rnn)\w*$",
    re.IGNORECASE,
)
"""Functions that make a new hidden state."""

ADDS_TO_BUFFER = pattern(
    r"^_*(push|add|store|append|remember|save|insert|put|record|cache|memori[sz]e|observe|extend)",
    re.IGNORECASE,
)
"""Methods that put something into a buffer."""

BUFFER = pattern(
    r"buf|memory|replay|rollout|storage|trajector|transition|experience|episode|log_?prob|logp|action|value|hidden",
    re.IGNORECASE,
)
"""Replay buffers and what they hold."""

PICTURES = pattern(r"conv2d|cnn|pixel|frame|image|atari|screen|camera", re.IGNORECASE)
"""Names in a script whose observations are pictures."""

AVERAGE_VARIABLE = pattern(
    r"(^|[_.])(ema|avg|averaged?|means?|moving|running|shadow|smooth\w*|centers?|centroids?|codebook|cluster\w*"
    r"|prototypes?|stats?|var|baseline)([_.\[]|\d|$)",
    re.IGNORECASE,
)
"""Variables that hold a running average."""

NORMALISER = pattern(r"(norm|bn)(ali[sz]ation)?_?[123]?d?$|batch_?norm", re.IGNORECASE)
"""Classes of layers that normalise features."""

SMALL_RESULT = pattern(r"loss|acc|err|score|metric|^mean$|^sum$|^count|correct", re.IGNORECASE)
"""Results of a step that are one number, by the code that gives them."""

OPTIONS_CLASS = pattern(r"(Settings|Config|Configuration|Options|Args|Arguments|HParams|Params|Namespace)$")
"""Classes of objects that hold the options of a run."""

OPTIONS_OBJECT = pattern(
    r"(^|\.|_)(args?|opts?|options|cfg|config|conf|hparams|flags|params|settings)$", re.IGNORECASE
)
"""Objects that hold the options of a script."""

SETTINGS_OBJECT = pattern(
    r"^(self|cls|args?|opts?|options?|cfg|conf|config|hparams|hps?|flags|params|settings|accelerator|fabric)$",
    re.IGNORECASE,
)
"""Objects that hold settings, and `self`."""

PLAIN_ENTRY = pattern(
    r"^(start_?|last_?|cur(rent)?_?|global_?|n_?|num_?)?(epochs?|steps?|iters?|iterations?|it|updates?)(_?(num|idx|no))?$"
    r"|^(args|opt|opts|options|config|cfg|hparams|hyper_?param(eter)?s|params|arch|name|version|lr|vocab|meta"
    r"|classes|class_names|class_to_idx|wandb_id|run_id|model_args|model_config)$",
    re.IGNORECASE,
)
"""Entries of a checkpoint that are numbers or options."""

STATEFUL_ENTRY = pattern(r"(sched|scaler|warmup|amp)", re.IGNORECASE)
"""Entries of a checkpoint that are states of schedulers and the like."""

LOADS_INTO_NETWORK = pattern(
    r"(^|_)(load|restore|copy|init(ialize)?|fill)_?\w*(check_?point|ckpt|state|weight|param|pretrain|model|net)",
    re.IGNORECASE,
)
"""Functions out of view that put what was loaded into the network that they are given as well."""

CLEANS_STATE_DICT = pattern(
    r"(state|weight|ckpt|checkpoint|strip|prefix|convert|clean|remap|rename|key|filter|unwrap)", re.IGNORECASE
)
"""Functions that rename or filter the entries of a state_dict."""

TRAINS = pattern(r"train|fit|learn|backward|load_state_dict|update", re.IGNORECASE)
"""Functions that train the model that they are given."""

SAVES_OR_LOADS = pattern(
    r"^_*(save|load|restore|store|write)_\w*(model|weights?|state|ckpt|checkpoint|params?|best)",
    re.IGNORECASE,
)
"""Functions of a project that put weights into a file or back into a network: `save_best_checkpoint(w)`."""
BEST_MODEL = pattern(r"^best(_(model|net|network|policy)|Model)?$")
"""Variables that keep the best model itself. The gate of MEM704 has the same words."""

BEST_SO_FAR = pattern(r"best|improv", re.IGNORECASE)
"""Conditions that hold for the best result so far."""

QUANTISED = pattern(r"quanti[sz]ed|int8", re.IGNORECASE)
"""Checkpoints of quantised models, which stay on the CPU."""

# --- Work and clean-up ---------------------------------------------------------------------------------

WORK_CALL = pattern(
    r"(train|step|forward|fit|loss|infer|predict|process|batch|generate|encode|embed|eval)", re.IGNORECASE
)
"""Functions that do the work of a step."""

WHOLE_SET = pattern(
    r"(x|inputs?|data|features?|images?)_?(test|val|valid|validation|dev)(_x)?$"
    r"|(test|val|valid|validation|dev)_?(x|data|set|inputs?|features?|images?)$",
    re.IGNORECASE,
)
"""All that there is to test or validate on."""

SETTLES_BATCH_SIZE = pattern(r"batch_?size|(^|_)bs$|data_?loader", re.IGNORECASE)
"""What a handler of an out-of-memory error changes to try again."""

EMPTIES = pattern(r"(^|_)(reset|clear|flush|empty|restart)(_|$)", re.IGNORECASE)
"""Methods that empty what an object keeps."""

TIDIES_UP = pattern(r"(grad$|param|cache|log|print|save|reset|clear|clean|free|module|state)", re.IGNORECASE)
"""Functions that clean up and do no work."""

DEBUG_SWITCH = pattern(
    r"(^|_)(debug|tests?|check|diagnos\w*|profil\w*|bench\w*|anomaly|nans?|trace|snapshot)(_|$)",
    re.IGNORECASE,
)
"""Options and functions for debugging."""

COMMAND_VARIABLE = pattern(r"(cmd|command|launch|argv)", re.IGNORECASE)
"""Variables that hold a command line."""

# --- Keras, options, attention -------------------------------------------------------------------------

KERAS_MODEL = pattern(
    r"(^|_)(model\d*|net|nn|network|generator|discriminator|actor|critic|autoencoder|encoder|decoder|gan|vae|unet"
    r"|cnn|lstm|rnn|mlp|dqn|ddqn|resnet|vgg)(_?\d+)?(_|$)|[a-z](Model|Net|Network)\d*$"
)
"""Variables and functions that stand for a Keras model."""

CHANGING_RATE = pattern(r"decay|rate|step|delta|anneal|gamma|incr", re.IGNORECASE)
"""Variables that change a little in each pass."""

EPOCH_VARIABLE = pattern(r"epoch|^ep$", re.IGNORECASE)
"""Variables that count epochs."""

ONE_NUMBER = pattern(r"loss|acc|metric|score|reward|value|cost|error|kl|nll|entropy|prob", re.IGNORECASE)
"""Results that are one number for a batch."""

MODEL_BUILDER = pattern(
    r"^(?!\w*_(config|dir|file|hash|history|id|info|list|metadata|name|param|path|size|spec|summary|type|url|version)"
    r"s?$)_?(build|create|make|get|define|init|construct|new)\w*_?(model|net|network|cnn|lstm|gan|generator|unet)"
    r"|^(Build|Create|Make)\w*(Model|Net)",
)
"""Functions that build a model."""

SMALL_OPTION = pattern(
    r"scal(e|ing)|zero_?point|factor|temp|thresh|alpha|eps|lambda|rate|weight$|dim"
    r"|(^|_)(seq_?lens?|seq_?lengths?|offsets?|cos|sin)$",
    re.IGNORECASE,
)
"""Arguments of an operation that are a number, one for each channel or sequence, or a table of angles that
the model keeps."""

TENSOR_ATTRIBUTE = pattern(
    r"(^|_)(logits?|embeds?|embeddings?|states?|features?|sample|pred\w*|scores?|probs?|masks?|box(es)?"
    r"|outputs?|loss|images?|hidden\w*|attentions?|latents?|values?|weights?|tokens?|ids|codes?|tensor|data|[xyzT])$",
    re.IGNORECASE,
)
"""Attributes of an unseen result that hold tensors; others may be objects, such as `latent_dist`."""

CAPACITY = pattern(r"capacity|size|mem(ory)?(_|$)|replay|buffer|max_?len|limit", re.IGNORECASE)
"""How many transitions a replay buffer holds: many."""

MASK = pattern(r"masks?$", re.IGNORECASE)
"""Tensors of truth values."""

ATTENTION_MASK = pattern(r"mask|causal|tril|triu", re.IGNORECASE)
"""What is added to the scores of attention to leave positions out."""

DROPOUT = pattern(r"drop", re.IGNORECASE)
"""Layers and functions of dropout."""

FUSED_ATTENTION = pattern(
    r"scaled_dot_product_attention|flash_?attn|memory_efficient_attention|sdpa|fused_?attn|xformers",
    re.IGNORECASE,
)
"""Kernels that compute attention without keeping its map, and the switches for them."""

PLAYS = pattern(r"play|episode|roll_?out|simulat|mcts|tree_search|explore", re.IGNORECASE)
"""Functions out of view that ask a policy for one move after the other."""

TOKENIZER = pattern(r"tokeni[sz]er", re.IGNORECASE)
"""Variables that hold a tokenizer."""

STATIC_SHAPES = pattern(
    r"(^|_)(xla|tpu|cuda_?graphs?|neuron\w*|tensorrt|trt|onnx\w*|static_?(shapes?|cache))(_|$)|CUDAGraph"
    r"|make_graphed_callables|torch_compile|torchdynamo|XLA|TPU",
)
"""Names in a script whose batches must all have one shape."""

FIXED_LENGTH_MODEL = pattern(
    r"clip|whisper|diffusion|sdxl|flux|unet|processor|feature_extractor|vision|caption|prompt", re.IGNORECASE
)
"""Tokenizers and processors whose model wants texts of one length."""

VOCABULARY = pattern(r"vocab|(^|_)lm(_|$)|shift_?logits|CausalLM|LMHead|MaskedLM|Seq2SeqLM", re.IGNORECASE)
"""Names that speak of a number of classes as large as a vocabulary."""
