import math
import os
import time

import torch
import torch.nn as nn


def get_batch(data, block_size, batch_size, device):
    ix = torch.randint(len(data) - block_size, (batch_size,))
    x = torch.stack([data[i:i + block_size] for i in ix])
    y = torch.stack([data[i + 1:i + 1 + block_size] for i in ix])
    return x.to(device), y.to(device)


def main():
    device = "cuda"
    data = torch.load("train.pt")
    vocab = int(data.max()) + 1
    model = nn.Sequential(nn.Embedding(vocab, 256), nn.TransformerEncoderLayer(256, 4, batch_first=True),
                          nn.Linear(256, vocab)).to(device)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
    lossi = []
    t0 = time.time()
    for it in range(20000):
        xb, yb = get_batch(data, 128, 32, device)
        logits = model(xb)
        loss = nn.functional.cross_entropy(logits.view(-1, vocab), yb.view(-1))
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        lossi.append(loss)  #! MEM102
        if it % 500 == 0:
            recent = torch.stack(lossi[-500:]).mean()
            print(f"{it}: {recent:.4f} ({time.time() - t0:.1f}s) ppl {math.exp(recent):.2f}")
    torch.save(model.state_dict(), os.path.join("out", "model.pt"))


main()
