# predicted classes, a small matter

import torch


def predict_classes(model, loader):
    found = []
    with torch.no_grad():
        for image in loader:
            found.append(model(image.cuda()).argmax(1))  #! MEM103 advice
    return torch.cat(found)


classifier = torch.nn.Linear(32, 5).cuda()
print(predict_classes(classifier, [torch.randn(4, 32) for _ in range(9)]).bincount())
