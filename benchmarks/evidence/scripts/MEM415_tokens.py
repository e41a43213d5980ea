# claim: PEAK, expected: confirmed (512 positions for texts of at most 120)
import random

import torch
from torch import nn

torch.manual_seed(0)
random.seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
TEXTS = ["a" * random.randint(20, 120) for _ in range(96)]


def tokenizer(texts, padding, max_length):
    length = max_length if padding == "max_length" else max(map(len, texts))
    return torch.tensor([[ord(c) - 96 for c in text] + [0] * (length - len(text)) for text in texts])


embed = nn.Embedding(27, 32).to(device)
layers = nn.ModuleList(nn.TransformerEncoderLayer(32, 4, 64, batch_first=True) for _ in range(2)).to(device)
optimizer = torch.optim.SGD([*embed.parameters(), *layers.parameters()], lr=1e-3)
loader = torch.utils.data.DataLoader(TEXTS, batch_size=8)
for texts in loader:
    batch = tokenizer(texts, padding="max_length", max_length=512).to(device)
    optimizer.zero_grad()
    hidden = embed(batch)
    for layer in layers:
        hidden = layer(hidden)
    hidden.square().mean().backward()
    optimizer.step()
