"""R3D-18 of torchvision on clips of 16 frames, float32, AdamW, accuracy under no_grad after training."""

import torch
from torchvision.models.video import r3d_18

torch.manual_seed(0)
model = r3d_18(num_classes=101).to("cuda")
optimizer = torch.optim.AdamW(model.parameters())
for _ in range(4):
    clips, labels = torch.rand(8, 3, 16, 112, 112).to("cuda"), torch.randint(0, 101, (8,)).to("cuda")
    loss = torch.nn.functional.cross_entropy(model(clips), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
model.eval()
with torch.no_grad():
    print(model(torch.rand(16, 3, 16, 112, 112).to("cuda")).argmax(1)[:3])
