# `...` stands for the loss and its backward

import torch
from torchvision.models.segmentation import fcn_resnet50

from metrics import MetricStore

model = fcn_resnet50().cuda()
loader = torch.utils.data.DataLoader(torch.load("pictures.pt"), batch_size=4)
for epoch in range(100):
    model.train()
    store = MetricStore(21)
    for images, masks in loader:
        scores = model(images.cuda())
        store.store_results(masks, scores["out"].argmax(1))
        ...
    print(store.summarize())
