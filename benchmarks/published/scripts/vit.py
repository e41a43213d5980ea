"""Fine-tune torchvision's ViT-L/16 on CIFAR-10 scaled to 224 x 224, as in the article on memory by S. Raschka."""

import argparse

import torch
from torchvision.models import vit_l_16

parser = argparse.ArgumentParser()
parser.add_argument("--batch", type=int, required=True)
parser.add_argument("--precision", choices=("32", "16-mixed", "bf16-true"), default="32")
parser.add_argument("--accumulate", type=int, default=1)
options = parser.parse_args()

dtype = torch.bfloat16 if options.precision == "bf16-true" else torch.float32
mixed = options.precision == "16-mixed"
model = vit_l_16(weights=None)
model.heads.head = torch.nn.Linear(1024, 10)
model = model.to("cuda", dtype)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-5)
scaler = torch.amp.GradScaler("cuda", enabled=mixed)
for step in range(4 * options.accumulate):
    model.train()
    features = torch.rand(options.batch, 3, 224, 224).to("cuda", dtype)
    targets = torch.randint(10, (options.batch,)).cuda()
    with torch.autocast("cuda", torch.float16, enabled=mixed):
        logits = model(features)
    logits = logits.float() if mixed else logits
    loss = torch.nn.functional.cross_entropy(logits, targets) / options.accumulate
    if options.accumulate == 1:
        optimizer.zero_grad()
    scaler.scale(loss).backward()
    if step % options.accumulate == 0:
        scaler.step(optimizer)
        scaler.update()
        if options.accumulate > 1:
            optimizer.zero_grad()
    model.eval()
    predicted = torch.argmax(logits, 1)
for _ in range(2):
    with torch.no_grad():
        features = torch.rand(options.batch, 3, 224, 224).to("cuda", dtype)
        predicted = torch.argmax(model(features), 1)
