import optuna
import torch
from torch import nn


def build(trial, d):
    layers = []
    for i in range(trial.suggest_int("n", 1, 3)):
        h = trial.suggest_int(f"h{i}", 16, 256, log=True)
        layers += [nn.Linear(d, h), nn.ReLU(), nn.Dropout(trial.suggest_float(f"p{i}", 0, 0.5))]
        d = h
    return nn.Sequential(*layers, nn.Linear(d, 10), nn.LogSoftmax(1))


def make_objective(train_loader, valid_loader, d, device="cpu"):
    def objective(trial):
        model = build(trial, d).to(device)
        name = trial.suggest_categorical("opt", ["Adam", "RMSprop", "SGD"])
        optimizer = getattr(torch.optim, name)(model.parameters(), lr=trial.suggest_float("lr", 1e-5, 1e-1, log=True))
        for epoch in range(10):
            model.train()
            for x, y in train_loader:
                x, y = x.view(len(x), -1).to(device), y.to(device)
                nn.functional.nll_loss(model(x), y).backward()  #! MEM121
                optimizer.step()
            model.eval()
            correct = total = 0
            for x, y in valid_loader:
                pred = model(x.view(len(x), -1).to(device)).argmax(1)  #! MEM201
                correct += (pred == y.to(device)).sum().item()
                total += len(y)
            acc = correct / total
            trial.report(acc, epoch)
            if trial.should_prune():
                raise optuna.TrialPruned()
        return acc
    return objective


def main(tr, va):
    study = optuna.create_study(direction="maximize")
    study.optimize(make_objective(tr, va, 784), n_trials=100, timeout=600)
    print(study.best_trial.params, study.best_value)
