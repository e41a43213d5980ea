"""Training steps of timm's benchmark: autocast around forward, loss and backward, SGD with momentum."""

import argparse

import torch
import torchvision_names  # noqa: F401

import timm  # isort: skip

parser = argparse.ArgumentParser()
parser.add_argument("model")
parser.add_argument("--batch", type=int, required=True)
parser.add_argument("--size", type=int, default=224)
options = parser.parse_args()

torch.backends.cudnn.benchmark = True
model = timm.create_model(options.model, num_classes=1000).cuda()
model.train()
loss = torch.nn.CrossEntropyLoss().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4, momentum=0.9, nesterov=True, foreach=False)
images = torch.randn(options.batch, 3, options.size, options.size, device="cuda")
for _ in range(3):
    optimizer.zero_grad(set_to_none=False)
    with torch.autocast("cuda", torch.float16):
        output = model(images)
        target = torch.empty(options.batch, dtype=torch.long, device="cuda").random_(1000)
        loss(output, target).backward()
    optimizer.step()
