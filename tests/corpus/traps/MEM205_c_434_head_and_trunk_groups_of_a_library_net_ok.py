import timm
import torch

net = timm.create_model("resnet34", pretrained=True, num_classes=7)
base = [p for n, p in net.named_parameters() if not n.startswith("fc.")]
optimizer = torch.optim.SGD(
    [{"params": base, "lr": 1e-3}, {"params": net.fc.parameters(), "lr": 1e-2}], momentum=0.9
)
for images, labels in [(torch.randn(2, 3, 64, 64), torch.tensor([3, 6]))] * 3:
    loss = torch.nn.functional.cross_entropy(net(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
