# One picture before the test warms the network up, under a condition or under a name that nothing reads.

import torch

from networks import build


def test(loader, options):
    model = build(options.size).to(options.device)
    model.eval()
    picture = torch.zeros((1, 3, options.size, options.size), device=options.device)
    _ = model(picture.half() if options.half else picture) if options.device != "cpu" else None
    right = 0
    for pictures, labels in loader:
        with torch.no_grad():
            right += (model(pictures).argmax(1) == labels).sum().item()
    return right
