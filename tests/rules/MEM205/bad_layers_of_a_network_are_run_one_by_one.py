# a picture is optimized through a network whose layers run one by one; slices of another one are run as they are

import torch
from torch import nn
from torchvision.models import vgg16, vgg19

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
cnn = vgg19(weights="DEFAULT").features.to(device).eval()  #! MEM205 warning
other = vgg16(weights="DEFAULT").features.to(device)  #! MEM205 warning


def features(x, wanted=("0", "5", "10")):
    found = {}
    for name, layer in cnn.named_children():
        x = layer(x)
        if name in wanted:
            found[name] = x
    return found


def early(x):
    return {"early": other[:5](x)}


picture = torch.rand(1, 3, 256, 256, device=device, requires_grad=True)
target = {name: value.detach() for name, value in features(torch.rand(1, 3, 256, 256, device=device)).items()}
optimizer = torch.optim.Adam([picture], lr=0.02)
for _ in range(500):
    optimizer.zero_grad()
    made = features(picture)
    loss = sum(nn.functional.mse_loss(made[name], target[name]) for name in target)
    loss = loss + early(picture)["early"].abs().mean()
    loss.backward()
    optimizer.step()
