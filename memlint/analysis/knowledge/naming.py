"""What a name says about a value that nothing else is known of.

Names alone never make a finding an error by themselves; they only let the analysis follow parameters
such as `model`, `optimizer` and `val_loader` of functions that are called from elsewhere.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memlint.analysis.knowledge.patterns import pattern

# Names of the objects of a training script.
_OPTIMIZER = pattern(
    r"^(?!.*(sched|param|config|cfg|args|option|state|lr_|step|name|type|kwargs|list|class|cls|path"
    r"|dict))(.*_)?(opt|optim|optimizer|optimiser|solver|optims|optimizers|opts)(_?[a-z]{1,2}\d*|_?\d+"
    r"|_(gen|dis|disc|actor|critic|policy|model|net|alpha|main|head|generator|discriminator|encoder"
    r"|decoder))?$",
    re.IGNORECASE,
)
_OPTIMIZER_OF = pattern(
    r"^((?:opt|optim|optimizer|optimiser)_([a-z]{3,}\w*)|([a-z]{3,}\w*?)_(?:opt|optim|optimizer|optimiser))$"
)
_OPTIMIZER_PREFIX = pattern(
    r"^(g|d|q|pi|vf|v|p|actor|critic|gen|dis|disc)_?(opt|optim|optimizer)$", re.IGNORECASE
)
_MODEL = pattern(
    r"^(.*_)?(model|net|network|backbone|encoder|decoder|generator|discriminator|teacher|student|classifier"
    r"|critic|actor|policy|unet|vae|gan|transformer|resnet|vgg|bert|lstm|rnn|gru|mlp|cnn|module|learner"
    r"|policy_net|target_net|q_net|autoencoder|extractor|segmentor|detector|embedder|feature_extractor)"
    r"(_?([gdqk]|[a-z]{0,2}\d+|ema|ddp|engine|module|wrapped|dp|target|old))?$",
    re.IGNORECASE,
)
_SEVERAL = pattern(r"^(.+?)s((?:_(?:target|old|ema))?)s?$")
_MODEL_SHORT = pattern(r"^(net[A-Z]\w?|[A-Z]_[AB]|model[A-Z]\w*|net_[A-Za-z]\w?|[a-z]+Net|G|D)$")
_NOT_MODEL = pattern(
    r"(name|path|dir|file|type|cfg|config|args|id|state|dict|size|class|str|list|params|output|input|out"
    r"|loss)s?$",
    re.IGNORECASE,
)
_ACTS = pattern(r"^_*(.*_)?(polic(y|ies)|actors?|agents?)$", re.IGNORECASE)
_VERB = pattern(
    r"^_?(make|build|get|create|load|init|setup|define|new|prepare|save|train|test|eval|evaluate|run"
    r"|freeze|update|print|count|is|has|use|num|n|convert|export|wrap|choose|select|return|import|fuse"
    r"|set|add|remove|reset|quantize|prune|log|plot|show|write|read|compute|apply|register|unwrap|copy"
    r"|clone|sync|enable|disable|clip|freeze|unfreeze|summary|inspect|check|validate|predict|sample"
    r"|generate|step|fit|call|parse|configure|estimate|calc|measure|infer|explain|query|ask|invoke|profile"
    r"|benchmark|analy[sz]e|visuali[sz]e|describe|compare|download|upload|deploy|serve)_",
    re.IGNORECASE,
)
_QUANTITY = pattern(
    r"^_?(lr|learning_rate|wd|weight_decay|tau|gamma|lambda|eps|epsilon|dims?|epochs?|steps?"
    r"|dir|if|no|with|should)_",
    re.IGNORECASE,
)
"""What a number, a text or a flag that belongs to a network begins with: `lr_actor`, `if_rnn_policy`."""
_CRITERION = pattern(
    r"^(.*_)?(criterions?|criterion\w*|crit(?!ic)|criteria|loss_?fn|loss_?func(tion)?|loss_?fun|objective"
    r"|lossfn)(_?\w{1,4})?$",
    re.IGNORECASE,
)
_SHORT_PART = pattern(r"^(.*_)?(enc|dec)(_?[a-z\d]{1,2})?$", re.IGNORECASE)
_KIND_OF_NETWORK = pattern(
    r"^(?!(inter|ether|sub|word|concept|image|shape|model|audio|dot|mag|pla)net$)[a-z]{3,}net$"
)
"""Protonets, pointnets and so on; of data sets and of what is no network, there are some."""
_SHORT_CRITIC = pattern(r"^(.*_)?crit(_?\w{1,2})?$", re.IGNORECASE)
SESSION = pattern(r"^_?(tf_?)?sess(ion)?$")
"""Variables that hold a session of TensorFlow 1."""

_LOADER = pattern(
    r"((data_?)?loader(_\w+)?|_dl|^dl|_dls|_iter|^iterator|batches|_generator|_loaders?"
    r"|trainset_iter)s?$|^(train|test|val|valid|dev|eval)_(data|gen|it|set|iter|iterator|batches)$"
    r"|^(train|test|val|valid)(loader|data|gen|iter|dl)$",
    re.IGNORECASE,
)
_NOT_LOADER = pattern(
    r"^(num|n|nb|max|min|total|len)_|_(workers?|times?|kwargs|args|cfgs?|configs?|types?|len|lengths?|sizes?|names?"
    r"|seeds?|paths?|idx|pos|index|states?|indices|steps?|shapes?|dims?|counts?|specs?|keys|class|cls|fn|func)$",
    re.IGNORECASE,
)
_SCALER = pattern(r"^(grad_?|amp_?|loss_?)?scaler$|^.*_(grad_)?scaler$", re.IGNORECASE)
_ENGINE = pattern(r"^(accelerator|fabric|.*engine|ds_model)$", re.IGNORECASE)

# Words that tell evaluation, inference and training apart.
_WORDS = pattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_EVALUATION = pattern(
    r"^(eval|evals|evaluat\w*|evaluator|perplexit(y|ies)|valid|valids?|validat\w*|val|vals|test|tests|testing|tester|dev"
    r"|holdout|(test|val|valid|eval|dev)(loader|set|data|dl|iter|gen|ds)\w*)$"
)
_SIDES = {
    "generator": frozenset({"g", "gen", "generator", "netg"}),
    "discriminator": frozenset({"d", "dis", "disc", "discriminator", "critic", "crit", "netd"}),
}
_TEST_DATA = pattern(r"^[xX]_?(te|ts|tst|test|val|valid)(_\w+)?$")
_INFERENCE = pattern(
    r"^(infer\w*|predict\w*|pred|sampl\w*|generat\w*|scor\w*|transform|embed\w*|extract\w*|encod\w*"
    r"|decision|reconstruct\w*|benchmark\w*|demo|translat\w*|transcrib\w*|visuali\w*|render\w*|export\w*"
    r"|(re)?rank\w*|retriev\w*|features?)$"
)
_EXTRACTION = pattern(r"^(extract|extracts|extraction)$")
_TRAINING = pattern(
    r"^(train|trains|training|trainer|fit|optimi[sz]\w*|learn|finetun\w*|tune|pretrain\w*"
    r"|(train)(loader|set|data|dl|iter)\w*)$"
)

# Names of functions that cannot be seen, by what they most likely do or give.
_LOSS_CALL = pattern(
    r"(loss|criterion|crit$|objective|divergence|penalty|nll|cross_?entropy|mse|elbo)", re.IGNORECASE
)
_NUMERIC_CALL = pattern(
    r"(accuracy|psnr|ssim|dice_(coef|score)|score|topk|numpy|scalar|float|number|correct|bleu|rouge|error_rate"
    r"|log_?str|python|to_?list|print|decode|as_text|mean_ap|mAP|get_lr|metrics|(^|_)mIoU|(^|_)f1(_|$)|top_?\d)",
    re.IGNORECASE,
)
# Short words of which the names of networks and losses are full: `inpaint`, `reconstruct`, `photometric`.
MISSPELT_SWITCHES = frozenset(
    "require_grad require_grads require_gradient require_gradients requires_grads requires_gradient "
    "requires_gradients required_grad requiresgrad requires_grad_ require_grad_".split()
)
"""What people assign to where they mean `requires_grad`."""

_NUMERIC_WORDS = frozenset(
    "acc metric iou miou item items np count counts num lr length len size sizes time auc wer cer format str "
    "string rank".split()
)
# The same by whole words, for whoever must not take a network for a metric (`time_mixer`, `ParamItem`).
_NUMBER_WORDS = frozenset(
    "acc accs accuracy accuracies metric metrics iou miou psnr ssim dice topk numpy np ndarray scalar "
    "scalars auc auroc bleu rouge wer cer tolist correct confusion transcript transcripts".split()
)
_NUMBER_CALL = pattern(
    r"^_?(top_?k|f1|mAP)(_|$)|_scores?$|^_?(to_?|as_?|\w+2_?)?(np|str|string|text)$|^to_?list$|ids?_to_"
    r"|error_rate|mean_ap",
    re.IGNORECASE,
)
_DETACHING_CALL = pattern(
    r"(detach|repackage|no_?grad|stop_?grad|to_?np|to_?cpu_numpy|reduce_?(dict|loss|tensor|mean|value)"
    r"|all_?reduce|gather|average_(tensor|across))",
    re.IGNORECASE,
)
_RESTRUCTURING_CALL = pattern(
    r"^_?((un)?(flatten|nest)(_?(dict|tree|list|nested))?(_dict|_tree|_list|_keys)?|(merge|combine|join|update|prefix|rename)"
    r"_?(dicts?|keys|trees?)|tree_(flatten|leaves|transpose)|(add|with)_prefix|to_(attr)?dict"
    r"|(Attr|Easy|Nested|Tensor)Dict|flatten_(nested|tree|dict|keys)\w*|stack_(dicts?|trees?|outputs))$"
)
_ZEROING_CALL = pattern(
    r"(zero|(^|_)step|optimi[sz]e|backward|(^|_)(train|fit|learn)(_(step|one_epoch|epoch|batch|iter"
    r"|iteration|model|loop|on_batch))?$|update_(param|weight|net|model)|closure|(reset|clear|erase|remove|delete)\w*_grad|grads?_to_none"
    r"|callback|hook"
    r"|^(on|before|pre|begin)_(train\w*_)?(batch|step|iter\w*|forward)(_(begin|start))?$)",
    re.IGNORECASE,
)
_FITTING_CALL = pattern(
    r"(^|[_.])(re)?(train|fit|learn|fine_?tune)(_(step|epoch|one_epoch|model|net|network|loop|batch))?$",
    re.IGNORECASE,
)
_DATA_CALL = pattern(
    r"^_?(samplers?|samples?|next|load|fetch|draw|read|pop|recall)(_|$)|(batch|batches|data|minibatch|memory)$",
    re.IGNORECASE,
)
_ENVIRONMENT = pattern(r"(^|_|\.)(env|envs|environment|vec_?env|game|world|gym)(_?\w{1,6})?$", re.IGNORECASE)
_CONSUMING_CALL = pattern(
    r"(^|_)(adapt(?!_(step|size|lr|rate|dt|tol\w*)(_|$))|backward|optimi[sz]e(?!rs?(_|$))\w*"
    r"|optimi[sz]er_(step|update)|minimi[sz]e|learn|apply_grad\w*)(_|$)"
    r"|(^|_)update_(params|weights|model)$",
    re.IGNORECASE,
)
# What only speaks of a backward that runs elsewhere: `require_backward(cost)`, `before_backward(loss)`.
_NOT_CONSUMING = pattern(
    r"^_*(requires?|needs?|is|has|can|should|will|no|skip|check|pre(pare)?|post|before|after|register|set"
    r"|enable|disable|mark)_",
    re.IGNORECASE,
)

# Names of values without a graph.
_PLAIN_WORDS = frozenset(
    "acc accuracy len lens length lengths idx idxs ind inds index indices ids id mask masks "
    "label labels target targets count counts num size sizes meta metas info infos log logs "
    "metric metrics stat stats caps captions sorted names name paths path time times step iter iters "
    "iteration iterations steps epoch lr correct top1 top5 iou miou psnr ssim f1 wer bleu".split()
)
_PLAIN_RESULT = pattern(
    r"^(acc\w*|[a-z]{1,2}acc|.*_acc|.*_accuracy|correct\w*|n|num\w*|count\w*|.*_count|metrics?|info|infos|logs?"
    r"|.*_logs?|(.*_)?logs?_dict|stats|idx|index|indices|ids?(_(slices?|seg(ment)?s?|starts?))?|mask\w*|.*_mask|targets?|labels?|batch_size|bs|lens?"
    r"|lengths?|reward\w*|done|state|obs\w*|next_state|action(?!\w*_(log|prob|param|mean|mu|std|dist|score|value|pred|feat|emb|out))\w*|lr|time|t|i|j|k|epoch|step|msg|text"
    r"|texts|words?|tags?|sentences?|name|names|path)$",
    re.IGNORECASE,
)

_ROWS = pattern(r"(^|_)(masks?|idxs?|inds?|indices|perm)(_(train|val|valid|test|dev))?$")

# Detectors of the YOLO family give `loss, loss_items`: the second is the parts of the first, detached.
_CUT_OFF = pattern(r"(^|_|\.)loss(es)?_items?$")


_NETWORK_CLASS = pattern(r"^Sequential|Module$|[a-z]Model$|[a-z]Net(work)?$")

# Classes that are written in capitals.
_CLASSES = pattern(r"^(VAE|GAN|LSTM|RNN|GRU|MLP|CNN|VGG|BERT|UNET)$")

# Methods that Lightning's trainer calls once for a whole fit, and those that set a module up.
_ONCE = pattern(
    r"^(__init__|setup|on_fit_start|on_train_start|on_fit_end|on_train_end|teardown|configure_\w+"
    r"|_*reset_parameters|_*init(iali[sz]e)?_(parameters|weights))$"
)


@lru_cache(maxsize=4096)
def role(name: str) -> str:
    """The kind of heap object that a name suggests: model -> "module", and so on; "" for none."""
    if _OPTIMIZER.match(name) or _OPTIMIZER_PREFIX.match(name):
        return "optimizer"
    if _SCALER.match(name):
        return "scaler"
    if _ENGINE.match(name):
        return "engine"
    if _CRITERION.match(name):
        return "loss"
    if _QUANTITY.match(name):
        return ""
    if _LOADER.search(name) and not _NOT_LOADER.search(name):
        return "loader"
    if (
        (_MODEL.match(name) or _MODEL_SHORT.match(name))
        and not _NOT_MODEL.search(name)
        and not _VERB.match(name)
    ):
        return "module"
    return ""


def part_of_network(name: str) -> bool:
    """Whether an attribute of a network has the short name of an encoder or decoder."""
    return bool(_SHORT_PART.match(name))


def kind_of_network(name: str) -> bool:
    """Whether an attribute of a network is called like a kind of networks: `protonet`, `hourglassnet`."""
    return bool(_KIND_OF_NETWORK.match(name))


def optimized_by(name: str) -> str:
    """The rest of an optimizer's name, which is that of its network: `opt_disc`, `gen_optimizer`; "" for less
    than three letters."""
    found = _OPTIMIZER_OF.match(name)
    return (found[2] or found[3]) if found is not None else ""


def may_be_critic(name: str) -> bool:
    """Whether a name that most often means a loss may be short for the critic of a GAN: `crit`."""
    return bool(_SHORT_CRITIC.match(name))


def _words_of(text: str) -> list[str]:
    """The lower-case words of identifiers in a piece of code: `testLoader_2` gives test, loader."""
    return [w.lower() for w in _WORDS.findall(text)]


def evaluates(text: str) -> bool:
    """Whether a name or expression speaks of evaluation: `val_loader`, `run_test`, `evaluate`."""
    return any(_EVALUATION.match(w) for w in _words_of(text))


def whole_test_data(name: str) -> bool:
    """Whether a variable holds all test data, by the short names of notebooks: `Xte`, `x_te`, `xtest`."""
    return bool(_TEST_DATA.match(name))


def side_of_gan(name: str) -> str:
    """ "generator" or "discriminator" for the network or optimizer of a GAN by its name, else ""."""
    words = set(_words_of(name))
    sides = [side for side, own in _SIDES.items() if words & own]
    return sides[0] if len(sides) == 1 else ""


def infers(text: str) -> bool:
    """Whether a name speaks of using a trained model: `predict`, `sample`, `extract_features`."""
    return any(_INFERENCE.match(w) for w in _words_of(text))


def extracts(text: str) -> bool:
    """Whether a name speaks of taking features out of a network: `extract_logits`."""
    return any(_EXTRACTION.match(w) for w in _words_of(text))


def trains(text: str) -> bool:
    """Whether a name or expression speaks of training."""
    return any(_TRAINING.match(w) for w in _words_of(text))


def fits(name: str) -> bool:
    """Whether a method of this name, given something, most likely trains."""
    return bool(_FITTING_CALL.search(name))


def loss_call(name: str) -> bool:
    """Whether an unseen function of this name most likely gives a loss that carries a graph."""
    return bool(_LOSS_CALL.search(name))


def numeric_call(name: str) -> bool:
    """Whether an unseen function of this name most likely gives plain numbers or strings."""
    return bool(_NUMERIC_CALL.search(name)) or not _NUMERIC_WORDS.isdisjoint(_words_of(name))


def gives_numbers(name: str) -> bool:
    """Whether a call of this name surely gives plain numbers or text: `compute_accuracy`, `to_numpy`."""
    return not _NUMBER_WORDS.isdisjoint(_words_of(name)) or bool(_NUMBER_CALL.search(name))


def detaching_call(name: str) -> bool:
    """Whether an unseen function of this name most likely cuts or averages away the graph."""
    return bool(_DETACHING_CALL.search(name))


def restructuring_call(name: str) -> bool:
    """Whether an unseen function of this name most likely gives its argument's members in another order."""
    return bool(_RESTRUCTURING_CALL.match(name))


@lru_cache(maxsize=4096)
def differentiating_call(name: str) -> bool:
    """Whether an unseen function of this name, given a loss, most likely runs backward on it."""
    return bool(_CONSUMING_CALL.search(name)) and not _NOT_CONSUMING.match(name)


@lru_cache(maxsize=4096)
def gives_data(name: str) -> bool:
    """Whether an unseen function of this name most likely gives data, not the result of a module."""
    return bool(_DATA_CALL.search(name))


def environment(code: str) -> bool:
    """Whether an expression is named like what an agent acts in."""
    return bool(_ENVIRONMENT.search(code))


def schedule(code: str) -> bool:
    """Whether an expression is named like a schedule: of the learning rate, or of a diffusion's noise."""
    return "sched" in code.lower()


def may_zero(name: str) -> bool:
    """Whether an unseen function of this name, given the optimizer or model, may clear gradients."""
    return bool(_ZEROING_CALL.search(name))


def cut_off(name: str) -> bool:
    """Whether a variable of this name usually holds what a loss consists of, without its graph."""
    return bool(_CUT_OFF.search(name))


def picks_rows(name: str) -> bool:
    """Whether a variable of this name usually holds a mask, or the numbers of several rows."""
    return bool(_ROWS.search(name))


def plain_name(name: str) -> bool:
    """Whether a variable of this name usually holds numbers, labels or masks, not a graph."""
    words = _words_of(name)
    return bool(_PLAIN_RESULT.match(name)) or bool(words and words[-1] in _PLAIN_WORDS)


def acts(name: str) -> bool:
    """Whether a name is that of what chooses actions: a network, or an object around one."""
    return bool(_ACTS.match(name))


def holds_modules(name: str) -> bool:
    """Whether a container is named after the modules in it: `models`, `self.critics`, `actors_target`."""
    one = _SEVERAL.sub(r"\1\2", name)
    return role(name) == "module" or (one != name and role(one) == "module")


def class_name(name: str) -> bool:
    """Whether a name is written like that of a class: `UNet`, `Classifier`, but not `G`."""
    mixed = len(name) > 1 and name[0].isupper() and not name.isupper()
    return mixed or bool(_CLASSES.match(name))


def network_class(name: str) -> bool:
    """Whether a base class of which nothing but the name is known is most likely that of networks."""
    return bool(_NETWORK_CLASS.search(name))


def runs_once(method: str) -> bool:
    """Whether a trainer calls a method of this name once for the whole training, or it sets things up."""
    return bool(_ONCE.match(method))
