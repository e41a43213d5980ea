"""What names suggest about the size of what a network gives, and of the network itself."""

from __future__ import annotations

import re

from memlint.analysis.knowledge.patterns import pattern

VOCABULARY = pattern(
    r"vocab|(^|_)(n|num)_?(tokens?|words|symbols|chars)$|^n_?tokens?$|(dict|dictionary|codebook)_?size|tokeni[sz]er",
    re.IGNORECASE,
)
"""The number of different tokens: thousands."""

GIVES_IMAGES = pattern(
    r"u_?net|generator|net_?g([_A-Z]|$)|^G(_|$)|decoder|auto_?encoder|(^|_)vae|segment|(^|_)seg(_|$)|segnet|depth_?(net|model)"
    r"|flow_?net|super_?res|(^|_)sr(_|gan|net|resnet)|inpaint|denois|restor|deblur|coloriz|colouris|style_?(net|transfer)"
    r"|fcn|deeplab|pix2pix",
    re.IGNORECASE,
)
"""Networks whose output has a number or more for each pixel."""

GIVES_TOKENS = pattern(
    r"(^|_)(lm|gpt\d*|llama\d*|nmt|seq2seq)(_|$)|(GPT|Llama|LM|Seq2Seq)|language_?model|LanguageModel|causal_?lm|translat"
    r"|charlm|minigpt|nanogpt",
)
"""Networks whose output has a number for each word of a vocabulary, at each token."""

LARGE_NETWORK = pattern(
    r"res_?net|res_?next|vgg|dense_?net|efficient_?net|conv_?next|bert|(^|_)vit(_|$)|ViT|swin|gpt|llama|mistral|qwen|t5|bart"
    r"|transformer|u_?net(_|$|\d)|generator|diffusion|whisper|wav2vec|hubert|clip(_|$)|yolo|detr|r_?cnn|deeplab|backbone",
    re.IGNORECASE,
)
"""Networks of millions of parameters."""

MANY_NUMBERS = pattern(
    r"feat(ure)?s?(_|$)|embed|encod|latent|hidden|attention|(^|_)maps?(_|$)|logits|images?(_|$)|frames?(_|$)",
    re.IGNORECASE,
)
"""What networks give that has hundreds of numbers or more for each sample."""

IMAGE_TARGET = pattern(r"mask|segm|depth|image|img|pixel|heat_?map|pictur|frame", re.IGNORECASE)
"""What a loss compares an output with that is as large as an image."""

JUDGE = pattern(
    r"(^|[._])(confidence|reward|score|value|quality|risk)_?(model|net|network|head|fn|predictor)$",
    re.IGNORECASE,
)
"""Networks that give one number for a sample."""

DISCRIMINATOR = pattern(r"disc|critic|net_?d([_A-Z]|$)|^D(_|$)", re.IGNORECASE)
"""Networks that give one verdict, or a few, for an image."""

FILTER = pattern(r"kernel|ksize|(^|_)taps?(_|$)|stencil", re.IGNORECASE)
"""Filters and their sizes: some numbers along each dimension."""

ACTIONS = pattern(r"(^|_)act(ion)?s?(_?(ids?|idx|dims?|space|size|num|batch|b))?$", re.IGNORECASE)
"""What an agent does, and how many ways it has to act: a few."""

FEW_COPIES = pattern(
    r"^(n|num|number_of|nb)_?(agents?|actions?(_max)?|players?|base_(priors|anchors)|samples?|instances)$"
    r"|^(n|num)_(components|mixtures)$"
    r"|^(dim_(per_)?head|head_dim|d_head)$",
    re.IGNORECASE,
)
"""Numbers of agents, of what each may do, of boxes at a place, of draws, of parts of a mixture, the width of
a head: so many copies of a tensor are a small matter."""
