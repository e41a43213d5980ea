# a sequence that the model reads again with every new token

import torch


@torch.no_grad()
def generate(model, loader, steps):
    model.cuda().eval()
    for prompt in loader:
        ids = prompt.cuda()
        for _ in range(steps):
            token = model(ids)[:, -1].argmax(-1, keepdim=True)
            ids = torch.cat([ids, token], dim=1)
        print(ids)
