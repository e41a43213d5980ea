# FGSM through backward and .grad of the input

import torch
import torch.nn.functional as F


def test(model, device, test_loader, epsilon):
    adv_examples = []
    model.eval()
    for data, target in test_loader:
        data, target = data.to(device), target.to(device)
        data.requires_grad = True
        output = model(data)
        loss = F.nll_loss(output, target)
        model.zero_grad()
        loss.backward()
        perturbed = torch.clamp(data + epsilon * data.grad.sign(), 0, 1)
        adv_examples.append(perturbed.detach().cpu())
    return adv_examples
