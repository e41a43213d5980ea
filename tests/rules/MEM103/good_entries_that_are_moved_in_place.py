# a batch is moved entry by entry, and texts of it are kept

import torch


class Predictor:
    def moved(self, data, device):
        for key in data:
            if torch.is_tensor(data[key]):
                if data[key].dtype == torch.float32:
                    data[key] = data[key].half()
                data[key] = data[key].to(device)
        return data

    def loop(self, model, loader):
        outputs = {"outputs": [], "targets": [[]]}
        with torch.no_grad():
            for data in loader:
                data = self.moved(data, 0)
                self.predict(data, model, outputs)
        return outputs

    def predict(self, data, model, outputs):
        for index, output in enumerate(model.generate(**data)):
            outputs["outputs"].append(str(output))
            outputs["targets"][0].append(data["ref"][index])
