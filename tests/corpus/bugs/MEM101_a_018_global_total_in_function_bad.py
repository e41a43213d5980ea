import torch
import torch.nn as nn
import torch.nn.functional as F

model = nn.LSTM(40, 256, 2, batch_first=True)
fc = nn.Linear(256, 30)
params = list(model.parameters()) + list(fc.parameters())
optimizer = torch.optim.Adam(params, lr=1e-3)
total_loss = 0.0
num_batches = 0


def step(feats, labels):
    global total_loss, num_batches
    optimizer.zero_grad()
    h, _ = model(feats)
    loss = F.cross_entropy(fc(h).transpose(1, 2), labels)
    loss.backward()
    optimizer.step()
    total_loss += loss  #! MEM101
    num_batches += 1


def report():
    print("avg loss %.4f after %d batches" % (float(total_loss) / num_batches, num_batches))


def run(batches):
    for i, (feats, labels) in enumerate(batches):
        step(feats, labels)
        if i % 100 == 99:
            report()
