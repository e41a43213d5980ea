# the batches of an epoch are kept beside their losses, to look at the worst of them

from torch.utils.data import DataLoader

from project import dataset, model


def worst(criterion):
    seen = []
    for batch in DataLoader(dataset, batch_size=64):
        loss = criterion(model(batch["image"]), batch["label"])
        seen.append({"image": batch["image"], "label": batch["label"], "loss": loss.item()})  #! MEM404 error
    return sorted(seen, key=lambda entry: entry["loss"])[-5:]
