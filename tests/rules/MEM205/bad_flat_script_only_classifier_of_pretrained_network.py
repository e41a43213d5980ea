# flat script: only the classifier of a pretrained network is optimized

import torch
import torchvision

net = torchvision.models.mobilenet_v2(weights="DEFAULT")
net.classifier = torch.nn.Linear(1280, 4)
optimizer = torch.optim.Adam(net.classifier.parameters(), lr=1e-3)  #! MEM205 warning
for images, labels in [(torch.randn(2, 3, 96, 96), torch.tensor([0, 3]))] * 5:
    loss = torch.nn.functional.cross_entropy(net(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
