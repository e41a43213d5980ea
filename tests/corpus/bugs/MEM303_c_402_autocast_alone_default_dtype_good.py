import torch
import torchvision

model = torchvision.models.resnet18(num_classes=10).cuda()
loss_fn = torch.nn.CrossEntropyLoss()
opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
train_set = torchvision.datasets.FakeData(256, (3, 64, 64), 10, torchvision.transforms.ToTensor())
train_loader = torch.utils.data.DataLoader(train_set, batch_size=32, num_workers=2)
for epoch in range(5):
    for images, targets in train_loader:
        opt.zero_grad()
        with torch.autocast(device_type="cuda", dtype=torch.bfloat16):
            logits = model(images.cuda(non_blocking=True))
            loss = loss_fn(logits, targets.cuda(non_blocking=True))
        loss.backward()
        opt.step()
    print(epoch, float(loss))
