import torch
import torch.nn as nn

model = nn.Sequential(nn.Linear(512, 2048), nn.GELU(), nn.Linear(2048, 10)).cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()


@torch.autocast("cuda", dtype=torch.bfloat16)  #= MEM302
def train_epoch(loader):
    model.train()
    losses = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()  #! MEM302
        losses += loss.item()
    return losses / len(loader)
