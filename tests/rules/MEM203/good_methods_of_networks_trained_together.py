# both networks are trained by what the method gives

import torch
import torch.nn.functional as F


def together(loader, first, teacher):
    optimizer = torch.optim.Adam([*first.parameters(), *teacher.parameters()])
    for images, _ in loader:
        images = images.cuda()
        loss = F.mse_loss(first.features_to(images, 2), teacher.features_to(images, 2))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
