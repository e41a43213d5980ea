# `encode` of a text that is written out gives its tokens, whatever else the object can do.

import torch
from speech.models import Translator

translator = Translator.from_pretrained("large")
translator.eval()
for path in ("a.pt", "b.pt"):
    tokens = translator.encode("How long is this text?").unsqueeze(0)
    print(tokens.shape, torch.load(path).shape)
