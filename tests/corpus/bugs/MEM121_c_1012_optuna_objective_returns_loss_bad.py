import optuna
import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision import datasets, transforms

DEVICE = torch.device("cuda")
BATCH, EPOCHS = 128, 10


def define_model(trial):
    layers, in_features = [], 28 * 28
    for i in range(trial.suggest_int("n_layers", 1, 3)):
        out_features = trial.suggest_int(f"n_units_l{i}", 4, 128)
        layers += [nn.Linear(in_features, out_features), nn.ReLU(), nn.Dropout(trial.suggest_float(f"d{i}", 0.2, 0.5))]
        in_features = out_features
    layers += [nn.Linear(in_features, 10), nn.LogSoftmax(dim=1)]
    return nn.Sequential(*layers)


def get_mnist():
    tf = transforms.ToTensor()
    mk = lambda tr: torch.utils.data.DataLoader(datasets.FashionMNIST("data", train=tr, transform=tf), batch_size=BATCH, shuffle=tr, num_workers=2)
    return mk(True), mk(False)


def objective(trial):
    model = define_model(trial).to(DEVICE)
    optimizer = getattr(torch.optim, trial.suggest_categorical("optimizer", ["Adam", "RMSprop", "SGD"]))(
        model.parameters(), lr=trial.suggest_float("lr", 1e-5, 1e-1, log=True)
    )
    train_loader, valid_loader = get_mnist()
    for epoch in range(EPOCHS):
        model.train()
        for data, target in train_loader:
            data, target = data.view(data.size(0), -1).to(DEVICE), target.to(DEVICE)
            loss = F.nll_loss(model(data), target)
            loss.backward()  #! MEM121
            optimizer.step()
        model.eval()
        correct = 0
        for _ in range(1):
            for data, target in valid_loader:
                data, target = data.view(data.size(0), -1).to(DEVICE), target.to(DEVICE)
                output = model(data)  #! MEM201
                pred = output.argmax(dim=1, keepdim=True)
                correct += pred.eq(target.view_as(pred)).sum().item()
        accuracy = correct / len(valid_loader.dataset)
        trial.report(accuracy, epoch)
        if trial.should_prune():
            raise optuna.exceptions.TrialPruned()
    return accuracy


if __name__ == "__main__":
    study = optuna.create_study(direction="maximize")
    study.optimize(objective, n_trials=100, timeout=600)
