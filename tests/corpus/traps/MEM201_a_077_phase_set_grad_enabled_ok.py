import torch


def train_model(model, dataloaders, criterion, optimizer, num_epochs=25):
    val_acc_history = []
    for epoch in range(num_epochs):
        for phase in ["train", "val"]:
            model.train() if phase == "train" else model.eval()
            running_loss = 0.0
            running_corrects = 0
            for inputs, labels in dataloaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    loss = criterion(outputs, labels)
                    _, preds = torch.max(outputs, 1)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                running_corrects += torch.sum(preds == labels.data)
            epoch_acc = running_corrects.double() / len(dataloaders[phase].dataset)
            if phase == "val":
                val_acc_history.append(epoch_acc)
    return model, val_acc_history
