# what another file, which is not in view, made: the network by its uses, the loaders by name and loop

import torch
from parts import held_out, model, optimizer, train_loader

for epoch in range(4):
    model.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda()).backward()
        optimizer.step()
    model.eval()
    right = 0
    for x, y in torch.utils.data.DataLoader(held_out, 64):
        right += (model(x.cuda()).argmax(1) == y.cuda()).sum().item()  #! MEM201 error
    print(epoch, right)
