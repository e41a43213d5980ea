import torch


def train(model, loader, optimizer, use_amp=True):
    for data, label in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=use_amp):
            loss = torch.nn.functional.cross_entropy(model(data.cuda()), label.cuda())
        with torch.cuda.amp.scale_loss(loss, optimizer) as scaled_loss:  #! MEM901
            scaled_loss.backward()
        optimizer.step()
