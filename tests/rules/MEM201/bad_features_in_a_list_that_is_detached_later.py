# features go into a list, and only what is joined from it is detached

import torch

features = []
for images, labels in loader:
    found = resnet(images.cuda())  #! MEM201 warning
    features.append(found)
table = torch.cat(features).detach().cpu().numpy()
