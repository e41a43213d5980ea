# the function reports the failure a few lines below the handler, and returns or raises there

import torch


def trace(model, shape, report):
    failure = None
    try:
        model.eval()
        with torch.no_grad():
            model(torch.zeros(shape).cuda())
    except Exception as err:
        failure = err
    report(sum(p.numel() for p in model.parameters()))
    if failure is not None:
        raise RuntimeError(f"the model broke: {failure}") from None
    return model


def answer(model, batch):
    error = None
    try:
        out = model(batch.cuda()).cpu()
    except Exception as e:
        error = e
    if error is not None:
        print("failed:", error)
        return None
    return out
