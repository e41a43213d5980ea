# what becomes a column of a table is a number for each row

import torch


def predict(model, loader, data):
    rows = torch.tensor([]).cuda()
    with torch.no_grad():
        for x, scale in loader:
            rows = torch.cat((rows, model(x.cuda()).mul(scale.cuda())), 0)  #! MEM103 advice
    rows = rows.cpu().numpy()
    data.dataframe["predicted"] = rows
    return data
