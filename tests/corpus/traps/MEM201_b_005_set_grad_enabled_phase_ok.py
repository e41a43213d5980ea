import copy
import torch


def train_model(model, dataloaders, criterion, optimizer, scheduler, num_epochs=25, device="cuda"):
    best, best_acc = copy.deepcopy(model.state_dict()), 0.0
    for epoch in range(num_epochs):
        for phase in ["train", "val"]:
            model.train() if phase == "train" else model.eval()
            running_loss, running_corrects = 0.0, 0
            for inputs, labels in dataloaders[phase]:
                inputs, labels = inputs.to(device), labels.to(device)
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    _, preds = torch.max(outputs, 1)
                    loss = criterion(outputs, labels)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                running_corrects += torch.sum(preds == labels.data)
            if phase == "train":
                scheduler.step()
            n = len(dataloaders[phase].dataset)
            acc = running_corrects.double() / n
            print(phase, running_loss / n, float(acc))
            if phase == "val" and acc > best_acc:
                best_acc, best = acc, copy.deepcopy(model.state_dict())  #! MEM704
    model.load_state_dict(best)
    return model
