"""Fine-tune torchvision's ViT-L/16 on CIFAR-10 at 224 x 224, as in S. Raschka's article on memory.

The network is written down here, with the layers of torchvision.models.vit_l_16 in their order. In half
precision flash attention of June 2023 laid its result out by tokens, so that MultiheadAttention copied it;
today's follows the query. The memory-efficient kernel lays it out as of old and keeps the same tensors.
"""

import argparse

import torch
import torch_2_0
from torch import nn


class Block(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(width, 1e-6), nn.LayerNorm(width, 1e-6)
        self.attention = nn.MultiheadAttention(width, heads, dropout=0.0, batch_first=True)
        self.dropout = nn.Dropout(0.0)
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Dropout(0.0),
            nn.Linear(4 * width, width), nn.Dropout(0.0),
        )  # fmt: skip

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.ln_1(tokens)
        x, _ = self.attention(x, x, x, need_weights=False)
        x = self.dropout(x)
        x = x + tokens
        y = self.ln_2(x)
        y = self.mlp(y)
        return x + y


class VisionTransformer(nn.Module):
    def __init__(self, width: int = 1024, depth: int = 24, heads: int = 16, classes: int = 10) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, width, 16, 16)
        self.token = nn.Parameter(torch.zeros(1, 1, width))
        self.positions = nn.Parameter(torch.zeros(1, 197, width))
        self.dropout = nn.Dropout(0.0)
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(depth)))
        self.norm = nn.LayerNorm(width, 1e-6)
        self.head = nn.Linear(width, classes)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        x = self.patches(images).flatten(2).permute(0, 2, 1)
        x = torch.cat([self.token.expand(len(images), -1, -1), x], dim=1)
        x = x + self.positions
        return self.head(self.norm(self.blocks(self.dropout(x)))[:, 0])


parser = argparse.ArgumentParser()
parser.add_argument("--batch", type=int, required=True)
parser.add_argument("--precision", choices=("32", "16-mixed", "bf16-true"), default="32")
parser.add_argument("--accumulate", type=int, default=1)
options = parser.parse_args()

dtype = torch.bfloat16 if options.precision == "bf16-true" else torch.float32
mixed = options.precision == "16-mixed"
torch.backends.cuda.enable_flash_sdp(False)
model = VisionTransformer().to("cuda", dtype)
optimizer = torch_2_0.Adam(model.parameters(), lr=5e-5)
scaler = torch.amp.GradScaler("cuda", enabled=mixed)


def run(images: torch.Tensor) -> torch.Tensor:
    with torch.autocast("cuda", torch.float16, enabled=mixed):
        return model(images.to(dtype))


for step in range(3 * options.accumulate):
    model.train()
    features = torch.rand(options.batch, 3, 224, 224).cuda()
    targets = torch.randint(10, (options.batch,)).cuda()
    logits = run(features).float()
    loss = nn.functional.cross_entropy(logits, targets) / options.accumulate
    if options.accumulate == 1:
        optimizer.zero_grad()
    scaler.scale(loss).backward()
    if step % options.accumulate == 0:
        scaler.step(optimizer)
        scaler.update()
        if options.accumulate > 1:
            optimizer.zero_grad()
    predicted = torch.argmax(logits, 1)
model.eval()
for _ in range(2):
    with torch.no_grad():
        features = torch.rand(options.batch, 3, 224, 224).cuda()
        predicted = torch.argmax(run(features), 1)
