# initialize, as in Apex's tutorial, from torch

import torch
import torch.cuda.amp as amp


def main():
    model = torch.nn.Linear(4, 2).cuda()
    optimizer = torch.optim.Adam(model.parameters())
    model, optimizer = amp.initialize(model, optimizer, opt_level="O1")  #! MEM901 error
    for x in torch.randn(10, 3, 4, device="cuda"):
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        with amp.scale_loss(loss, optimizer) as scaled_loss:  #! MEM901 error
            scaled_loss.backward()
        optimizer.step()


main()
