import torch
import torchvision.models as models

from toolkit import evaluate, train_one_epoch

model = models.resnet50().cuda()
criterion = torch.nn.CrossEntropyLoss().cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
train = torch.utils.data.DataLoader(torch.load("train.pt"), 256, shuffle=True, num_workers=8)
val = torch.utils.data.DataLoader(torch.load("val.pt"), 256, num_workers=8)
history = []
for epoch in range(90):
    history.append(train_one_epoch(model, criterion, optimizer, train, "cuda"))
    history.append(evaluate(model, val, criterion, "cuda"))
