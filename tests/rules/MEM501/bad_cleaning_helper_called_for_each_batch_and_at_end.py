# a cleaning helper, called for each batch and at the end of an epoch

import gc

import torch

DEVICE = torch.device("cuda")


def clear_memory():
    gc.collect()
    torch.cuda.empty_cache()


def run(net, optimizer, batches):
    for epoch in range(2):
        for batch in batches:
            optimizer.zero_grad(set_to_none=True)
            net(batch.to(DEVICE)).sum().backward()
            optimizer.step()
            clear_memory()  #! MEM501
        clear_memory()


model = torch.nn.Linear(6, 6).to(DEVICE)
run(model, torch.optim.Adam(model.parameters()), list(torch.randn(30, 4, 6)))
