# the exception is told at the end, and before that the network runs again with what it still holds

import torch


def trace(model, batch, report):
    failure = None
    try:
        model(batch.cuda())
    except Exception as err:
        failure = err  #! MEM115 warning
    with torch.no_grad():
        report(model(batch[:1].cuda()))
    if failure is not None:
        raise RuntimeError(f"the model broke: {failure}") from None
    return model
