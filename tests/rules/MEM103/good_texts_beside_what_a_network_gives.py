# the names of atoms are texts, which the network hands through

import torch


class Trainer:
    def represent(self, model, dataloader):
        model = model.to("cuda")
        model.eval()
        found = {"cls": [], "atomic_symbol": []}
        for batch in dataloader:
            with torch.no_grad():
                outputs = model(**batch, return_repr=True)
            found["cls"].extend(item.cpu().numpy() for item in outputs["cls"])
            found["atomic_symbol"].extend(outputs["atomic_symbol"])
        return found
