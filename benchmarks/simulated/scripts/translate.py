"""torch's own encoder and decoder on sentences whose length changes with each batch, with padding masks."""

import math

import torch
from torch import nn

WORDS, WIDTH, BATCH = 20000, 512, 48


class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH, padding_idx=0)
        self.net = nn.Transformer(WIDTH, 8, 4, 4, 2048, batch_first=True)
        self.head = nn.Linear(WIDTH, WORDS)

    def forward(self, source, target):
        later = nn.Transformer.generate_square_subsequent_mask(target.size(1), device=target.device)
        states = self.net(
            self.words(source) * math.sqrt(WIDTH),
            self.words(target) * math.sqrt(WIDTH),
            tgt_mask=later,
            src_key_padding_mask=source.eq(0),
            tgt_key_padding_mask=target.eq(0),
            memory_key_padding_mask=source.eq(0),
            tgt_is_causal=True,
        )
        return self.head(states)


torch.manual_seed(0)
model = Translator().cuda()
loss_of = nn.CrossEntropyLoss(ignore_index=0, label_smoothing=0.1)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, betas=(0.9, 0.98))
for length in (61, 37, 83, 52, 70, 95):
    source = torch.randint(1, WORDS, (BATCH, length))
    target = torch.randint(1, WORDS, (BATCH, length + 5))
    source[::2, -7:] = 0
    target[1::2, -9:] = 0
    source, target = source.to("cuda"), target.to("cuda")
    scores = model(source, target[:, :-1])
    loss = loss_of(scores.reshape(-1, WORDS), target[:, 1:].reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    optimizer.step()
    print(length, loss.item())
