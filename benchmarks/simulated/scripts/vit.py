"""ViT-B/16 with torch's own encoder blocks, bfloat16 autocast and SGD, 32 images of 224 x 224."""

import torch
from torch import nn

BATCH, WIDTH, HEADS, LAYERS, PATCH, SIDE = 32, 768, 12, 12, 16, 224


class EncoderBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm_a, self.norm_b = nn.LayerNorm(WIDTH, eps=1e-6), nn.LayerNorm(WIDTH, eps=1e-6)
        self.attention = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)
        self.widen, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.after_gelu, self.after, self.dropped = nn.Dropout(0.0), nn.Dropout(0.0), nn.Dropout(0.0)

    def forward(self, x):
        y = self.norm_a(x)
        y, _ = self.attention(y, y, y, need_weights=False)
        x = self.dropped(y) + x
        y = self.after_gelu(nn.functional.gelu(self.widen(self.norm_b(x))))
        return x + self.after(self.narrow(y))


class VisionTransformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, WIDTH, PATCH, PATCH)
        count = (SIDE // PATCH) ** 2 + 1
        self.token = nn.Parameter(torch.zeros(1, 1, WIDTH))
        self.places = nn.Parameter(torch.empty(1, count, WIDTH).normal_(std=0.02))
        self.blocks = nn.Sequential(*(EncoderBlock() for _ in range(LAYERS)))
        self.norm, self.head = nn.LayerNorm(WIDTH, eps=1e-6), nn.Linear(WIDTH, 1000)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], dim=1) + self.places
        return self.head(self.norm(self.blocks(x))[:, 0])


torch.manual_seed(0)
net = VisionTransformer().cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
for _ in range(3):
    images = torch.rand(BATCH, 3, SIDE, SIDE).cuda(non_blocking=True)
    labels = torch.randint(0, 1000, (BATCH,)).cuda(non_blocking=True)
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = nn.functional.cross_entropy(net(images), labels)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    print(loss.item())
