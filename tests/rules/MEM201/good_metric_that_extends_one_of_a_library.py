# A class that only refines a metric of a library measures too, and sees to the grad mode itself.

import restoration
import torch


class CroppedPSNR(restoration.metrics.PSNR):
    def forward(self, found, wanted):
        return super().forward(found[..., 8:-8, 8:-8], wanted[..., 8:-8, 8:-8])


class LabelError(BaseMetric):
    def forward(self, found, wanted):
        return self.collect(found.argmax(1) != wanted)


psnr, errors = CroppedPSNR(), LabelError()
network = torch.nn.Conv2d(3, 3, 3)
network.eval()
for noisy, clean, label in test_loader:
    with torch.no_grad():
        restored = network(noisy)
    baseline = restoration.wiener(noisy)
    print(psnr(restored, clean).item(), psnr(baseline, clean).item(), errors(baseline, label).item())
