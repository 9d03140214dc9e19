;;; test.el --- agent-lsp in a real Emacs  -*- lexical-binding: t; -*-

;; emacs --batch -Q -L DIR-OF-EGLOT… -L . -l test.el; AGENT_LSP is the program.

(require 'agent-lsp)
(require 'project)

(setq agent-lsp-program (or (getenv "AGENT_LSP") "agent-lsp")
      eglot-sync-connect 10
      make-backup-files nil)

(defvar test-passed 0)
(defvar test-failed 0)

(defun test (name ok &optional got)
  (setq test-passed (+ test-passed (if ok 1 0))
        test-failed (+ test-failed (if ok 0 1)))
  (princ (format "%s %s%s\n" (if ok "ok  " "FAIL") name (if ok "" (format ": %S" got)))))

(defmacro test-error-of (&rest body)
  `(condition-case err (progn ,@body "") (error (error-message-string err))))

(defun test-disk (file)
  (with-temp-buffer (insert-file-contents-literally file) (buffer-string)))

;; Of a user's Emacs nothing is set: eglot would ask for each edit.
(test "eglot would ask" (eq eglot-confirm-server-initiated-edits 'confirm))

(defun test-eventually (probe)
  "Wait until PROBE gives something true; return what it gave last."
  (let ((end (+ (float-time) 10)) value)
    (while (and (not (setq value (funcall probe))) (< (float-time) end))
      (accept-process-output nil 0.02))
    value))

(defun test-edit (old new)
  (agent-lsp-call "edit_file" :path "a.txt" :old_text old :new_text new
                  :expected_hash (plist-get (agent-lsp-call "read_file" :path "a.txt") :content_hash)))

(defun test-shown ()
  "The texts of the changes, with what was removed before them."
  (mapcar (lambda (o) (cons (buffer-substring-no-properties (overlay-start o) (overlay-end o))
                            (and (overlay-get o 'before-string) (substring-no-properties (overlay-get o 'before-string)))))
          agent-lsp--overlays))

(defun test-review ()
  "What assistants changed is seen, kept and undone."
  (agent-lsp-keep t)
  (test-eventually (lambda () (null agent-lsp--overlays)))
  (goto-char (point-max))
  (insert "l1\nl2\nl3\nl4\nl5\n")
  (test-edit "l2\n" "two\n")
  (test-edit "l4\n" "four\nmore\n")
  (test "changes are shown in the text, with what was there before"
        (test-eventually (lambda () (equal (test-shown) '(("two\n" . "l2\n") ("four\nmore\n" . "l4\n"))))) (test-shown))
  (goto-char (point-min))
  (agent-lsp-next-change)
  (test "the next change" (looking-at-p "two") (point))
  (agent-lsp-next-change)
  (test "and the one after it" (looking-at-p "four") (point))
  (agent-lsp-previous-change)
  (agent-lsp-undo)
  (test "undo puts it back" (test-eventually (lambda () (string-match-p "l1\nl2\nl3\nfour" (buffer-string)))) (buffer-string))
  (test "the other stays" (test-eventually (lambda () (= 1 (length agent-lsp--overlays)))) (test-shown))
  (search-forward "more")
  (let ((transient-mark-mode t) (mark-even-if-inactive nil))
    (beginning-of-line)
    (push-mark (line-beginning-position 2) t t)
    (agent-lsp-undo)
    (deactivate-mark))
  (test "of a region its lines" (test-eventually (lambda () (not (string-match-p "more" (buffer-string))))) (buffer-string))
  (agent-lsp-changes)
  (test "all are in one list" (string-match-p "a.txt:[0-9]+: " (buffer-string)) (buffer-string))
  (kill-buffer)
  (agent-lsp-keep t)
  (test "what is kept is not shown any more" (test-eventually (lambda () (null agent-lsp--overlays))) (test-shown))
  (agent-lsp-send)
  (test "a file is given" (string-prefix-p "@a.txt" (current-kill 0)) (current-kill 0)))

(defun test-consent (dir)
  "A protected file is asked for, with its diff."
  (let ((path (expand-file-name ".vscode/tasks.json" dir)) asked shown)
    (make-directory (file-name-directory path) t)
    (cl-letf* ((answers '(?a ?r ?e))
               ((symbol-function 'read-multiple-choice)
                (lambda (prompt choices &rest _)
                  (setq asked prompt shown (with-current-buffer "*agent-lsp: change*" (buffer-string)))
                  (assq (pop answers) choices)))
               ((symbol-function 'read-string) (lambda (&rest _) "not today"))
               ((symbol-function 'recursive-edit)
                (lambda () (with-current-buffer (window-buffer) (goto-char (point-max)) (insert "{} ")))))
      (write-region "{}\n" nil path nil 'silent)
      (agent-lsp-call "write_file" :path ".vscode/tasks.json" :content "{ }\n"
                      :expected_hash (plist-get (agent-lsp-call "read_file" :path ".vscode/tasks.json") :content_hash))
      (test "a protected file is asked for" (string-match-p "wants to change tasks.json (.+)" asked) asked)
      (test "with its diff" (string-match-p "^\\+{ }" shown) shown)
      (test "and changed when one agrees" (equal (test-disk path) "{ }\n") (test-disk path))
      (let ((refused (test-error-of (agent-lsp-call "edit_file" :path ".vscode/tasks.json" :old_text "{ }" :new_text "[]"
                                                    :expected_hash (plist-get (agent-lsp-call "read_file" :path ".vscode/tasks.json") :content_hash)))))
        (test "not when one refuses" (and (string-prefix-p "rejected_by_user" refused) (equal (test-disk path) "{ }\n")) refused))
      (agent-lsp-call "edit_file" :path ".vscode/tasks.json" :old_text "{ }" :new_text "[]"
                      :expected_hash (plist-get (agent-lsp-call "read_file" :path ".vscode/tasks.json") :content_hash))
      (test "and as one has edited it" (equal (test-disk path) "[]\n{} ") (test-disk path)))))

(let* ((dir (file-name-as-directory (file-truename (make-temp-file "agent-lsp-emacs" t))))
       (file (expand-file-name "a.txt" dir)))
  (unwind-protect
      (progn
        (write-region "hello world\nsecond\n" nil file nil 'silent)
        (cl-letf (((symbol-function 'project-current) (lambda (&rest _) (cons 'transient dir))))
          (agent-lsp-enable 'text-mode)
          (find-file file)
          (text-mode)
          (apply #'eglot--connect (eglot--guess-contact)))
        (with-current-buffer (get-file-buffer file)
          (test "connected" (eglot-managed-p))
          (goto-char (point-min))
          (end-of-line)
          (insert "!! ä𝄞")
          (let ((read (agent-lsp-call "read_file" :path "a.txt" :format "plain")))
            (test "what is typed is read, not what is saved"
                  (equal (plist-get read :content) "hello world!! ä𝄞\nsecond\n") read)
            (test "it says that it is unsaved" (eq t (plist-get read :dirty)) read)
            (test "the disk is as it was" (equal (test-disk file) "hello world\nsecond\n"))
            (undo-boundary)
            (let* ((edited (agent-lsp-call "edit_file" :path "a.txt" :expected_hash (plist-get read :content_hash)
                                           :old_text "ä𝄞\nsecond" :new_text "ö\nthird"))
                   (after (aref (plist-get edited :files) 0)))
              (test "an edit lands in the buffer" (equal (buffer-string) "hello world!! ö\nthird\n") (buffer-string))
              (test "and is not saved" (and (buffer-modified-p) (equal (test-disk file) "hello world\nsecond\n")))
              (test "the old hash is stale"
                    (string-prefix-p "stale_file"
                                     (test-error-of (agent-lsp-call "edit_file" :path "a.txt" :expected_hash (plist-get read :content_hash)
                                                                    :old_text "third" :new_text "x"))))
              (test "the new hash is good"
                    (equal (plist-get (agent-lsp-call "read_file" :path "a.txt" :if_hash (plist-get after :content_hash)) :not_modified) t)))
            (undo-boundary)
            (setq last-command nil)
            (undo)
            (test "one undo takes the edit back, and no more" (equal (buffer-string) "hello world!! ä𝄞\nsecond\n") (buffer-string))
            (let ((again (agent-lsp-call "read_file" :path "a.txt")))
              (test "after it the text has its hash of before" (equal (plist-get again :content_hash) (plist-get read :content_hash)))))
          (let ((hits (agent-lsp-call "grep_files" :pattern "world!!")))
            (test "a search finds unsaved text" (equal (length (plist-get hits :files)) 1) hits))
          (test "a wrong call is refused by its kind"
                (string-prefix-p "not_found" (test-error-of (agent-lsp-call "read_file" :path "b.txt"))))
          (test-review)
          (test-consent dir)
          (save-buffer)
          (test "saved, it is clean" (not (eq t (plist-get (agent-lsp-call "read_file" :path "a.txt") :dirty))))
          (eglot-shutdown (eglot--current-server-or-lose))))
    (delete-directory dir t)))

(princ (format "%d passed, %d failed\n" test-passed test-failed))
(kill-emacs (if (zerop test-failed) 0 1))
;;; test.el ends here
