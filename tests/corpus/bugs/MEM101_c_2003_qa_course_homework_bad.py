# %% [markdown]
# Extractive question answering, one window at a time.
# %%
from collections import namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

Output = namedtuple("Output", "loss start_logits end_logits")
device = "cuda" if torch.cuda.is_available() else "cpu"


# %%
class SpanReader(nn.Module):
    def __init__(self, vocab=500, width=48):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.mix = nn.TransformerEncoderLayer(width, 4, 96, batch_first=True)
        self.span = nn.Linear(width, 2)

    def forward(self, input_ids, start_positions=None, end_positions=None):
        start, end = self.span(self.mix(self.embed(input_ids))).unbind(-1)
        loss = None
        if start_positions is not None:
            loss = (F.cross_entropy(start, start_positions) + F.cross_entropy(end, end_positions)) / 2
        return Output(loss, start, end)


# %%
model = SpanReader().to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
windows = [(torch.randint(500, (8, 64)), torch.randint(64, (8,)), torch.randint(64, (8,))) for _ in range(120)]

# %%
logging_step = 50
model.train()
for epoch in range(2):
    step = 1
    train_loss = train_acc = 0
    for data in windows:
        data = [i.to(device) for i in data]
        output = model(input_ids=data[0], start_positions=data[1], end_positions=data[2])
        start_index = torch.argmax(output.start_logits, dim=1)
        end_index = torch.argmax(output.end_logits, dim=1)
        train_acc += ((start_index == data[1]) & (end_index == data[2])).float().mean()
        train_loss += output.loss  #! MEM101
        output.loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        step += 1
        if step % logging_step == 0:
            print(f"Epoch {epoch + 1} | Step {step} | loss = {train_loss.item() / logging_step:.3f}")
            train_acc = 0
