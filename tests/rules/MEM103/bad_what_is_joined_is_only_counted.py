# the joined scores are handed to a function of the file, which only prints the most frequent class of them

import torch


def evaluate(model, loader):
    rows = []
    model.eval()
    with torch.no_grad():
        for x in loader:
            rows.append(model(x.cuda()))  #! MEM103 warning
    rows = torch.cat(rows)
    show(rows)


def show(rows):
    print(rows.argmax(1).mode().values.item())
