# the context manager covers only the labels, not the forward

import torch


def test(model, test_loader, meter):
    model.eval()
    for data, target in test_loader:
        with torch.no_grad():
            target = target.long()
        prediction = model(data)  #! MEM201 error
        meter.update(prediction.argmax(-1), target)
    return meter.compute()
